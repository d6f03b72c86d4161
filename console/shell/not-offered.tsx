import { Link } from 'wouter-preact';
import { texts } from '../texts/texts.ts';
import { PageTitle } from './page-title.tsx';

/** Playgrounds whose models the deployment does not offer. The library has what was generated earlier. */

type Props = { readonly title: string; readonly text: string };

const NotOffered = ({ title, text }: Props) => (
  <div class="stack">
    <PageTitle title={title} description={text} />
    <p>
      <Link href="/library">{texts.notOffered.link}</Link>
    </p>
  </div>
);

export const NoVideos = ({ title = texts.video.title }: { readonly title?: string }) => (
  <NotOffered title={title} text={texts.notOffered.videos} />
);

export const NoImages = () => <NotOffered title={texts.images.title} text={texts.notOffered.images} />;
