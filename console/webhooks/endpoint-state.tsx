import type { Endpoint } from '../api/webhooks.ts';
import { formatTime } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';

type State = keyof typeof texts.webhooks.states;

const BADGES = { enabled: 'completed', failing: 'failed', disabled: 'failed' } as const satisfies Record<
  State,
  string
>;

const stateOf = ({ status, failing_since }: Endpoint): State => {
  if (status === 'disabled') return 'disabled';
  return failing_since === null ? 'enabled' : 'failing';
};

export const EndpointBadge = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const state = stateOf(endpoint);
  return <span class={`badge badge-${BADGES[state]}`}>{texts.webhooks.states[state]}</span>;
};

/** Why nothing arrives, where that is so. */
export const stateSentence = ({ status, disabled_reason, failing_since }: Endpoint): string | undefined => {
  if (status === 'disabled' && disabled_reason !== null)
    return texts.webhooks.disabledBecause[disabled_reason];
  return failing_since === null ? undefined : texts.webhooks.failingSince(formatTime(failing_since));
};
