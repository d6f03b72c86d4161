import type { EndpointObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { formatTime } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';

type State = keyof typeof texts.webhooks.states;

const BADGES = { enabled: 'completed', failing: 'failed', disabled: 'failed' } as const satisfies Record<
  State,
  string
>;

const endpointState = ({ status, failing_since }: EndpointObject): State => {
  if (status === 'disabled') return 'disabled';
  return failing_since === null ? 'enabled' : 'failing';
};

export const EndpointBadge = ({ endpoint }: { readonly endpoint: EndpointObject }) => {
  const state = endpointState(endpoint);
  return <span class={`badge badge-${BADGES[state]}`}>{texts.webhooks.states[state]}</span>;
};

/** Why the endpoint receives nothing; undefined if it works. */
export const explainState = ({
  status,
  disabled_reason,
  failing_since,
}: EndpointObject): string | undefined => {
  if (status === 'disabled' && disabled_reason !== null)
    return texts.webhooks.disabledBecause[disabled_reason];
  return failing_since === null ? undefined : texts.webhooks.failingSince(formatTime(failing_since));
};
