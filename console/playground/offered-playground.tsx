import { useMemo } from 'preact/hooks';
import { lazyPage, lazyPages } from '../shell/lazy-page.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { FORM_RULES, offersEveryVideo } from './video-form.ts';
import { type PlaygroundParts, VideoPlayground } from './video-playground.tsx';

const NoVideos = lazyPage(async () => (await lazyPages()).NoVideos);

/** For a deployment that does not offer everything. */
const RestrictedPlayground = lazyPage<PlaygroundParts>(async () => {
  const { createVideoOffer } = await import('./video-offer.ts');
  return (parts) => {
    // The session is read again from time to time, which must not change the form.
    const offers = JSON.stringify(useCurrentSession().offers.video);
    const offer = useMemo(() => createVideoOffer(JSON.parse(offers), FORM_RULES), [offers]);
    return offer.models.length === 0 ? <NoVideos /> : <VideoPlayground {...parts} offer={offer} />;
  };
});

export const OfferedPlayground = (parts: PlaygroundParts) =>
  offersEveryVideo(useCurrentSession().offers.video) ? (
    <VideoPlayground {...parts} />
  ) : (
    <RestrictedPlayground {...parts} />
  );
