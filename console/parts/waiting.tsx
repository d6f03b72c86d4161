import { initialTexts as texts } from '../texts/initial-texts.ts';

/** Appears only when there is something to wait for: after 300 ms, by its animation. */
export const Waiting = () => (
  <p class="waiting quiet" role="status">
    {texts.states.loading}
  </p>
);
