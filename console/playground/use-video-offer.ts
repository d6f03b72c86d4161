import { useMemo } from 'preact/hooks';
import { useCurrentSession } from '../shell/session.ts';
import type { FormRules } from './video-form.ts';
import { createVideoOffer, type VideoOffer } from './video-offer.ts';

/** The session is read again from time to time, which must not change the form. */
export const useVideoOffer = (rules: FormRules): VideoOffer => {
  const offers = JSON.stringify(useCurrentSession().offers.video);
  return useMemo(() => createVideoOffer(JSON.parse(offers), rules), [offers, rules]);
};
