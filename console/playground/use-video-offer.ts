import { useMemo } from 'preact/hooks';
import { useCurrentSession } from '../session/session.ts';
import type { FormRules } from './video-form.ts';
import { createVideoOffer, type VideoOffer } from './video-offer.ts';

/** Apart from the offer, whose tests know no browser. The session is read again at times, which must not change the form. */
export const useVideoOffer = (rules: FormRules): VideoOffer => {
  const offers = JSON.stringify(useCurrentSession().offers.video);
  return useMemo(() => createVideoOffer(JSON.parse(offers), rules), [offers, rules]);
};
