import { useState } from 'preact/hooks';
import { serverNow } from '../api/clock.ts';
import { keys, revokeKey } from '../api/keys.ts';
import type { ApiKey } from '../api/shapes.ts';
import { useMutation } from '../api/use-mutation.ts';
import { Confirm } from '../parts/confirm.tsx';
import { formatDate, formatMoney, formatNumber } from '../parts/format.ts';
import { useNow } from '../parts/use-now.ts';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts/texts.ts';
import { type KeyState, keyState } from './key-state.ts';

const StateText = ({ state }: { readonly state: KeyState }) => {
  if (state.state === 'revoking')
    return (
      <span class="badge badge-failed number">{texts.keys.revoking(formatNumber(state.secondsLeft))}</span>
    );
  return <span class="badge">{state.state === 'expired' ? texts.keys.expired : texts.keys.revoked}</span>;
};

const Revoke = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { project_id } = useCurrentSession();
  const [asks, setAsks] = useState(false);
  const { mutate, isPending, error } = useMutation(
    () => revokeKey(project_id, apiKey.id),
    () => {
      setAsks(false);
      void keys.invalidate();
    },
  );
  return (
    <>
      <button type="button" class="button button-small button-danger" onClick={() => setAsks(true)}>
        {texts.keys.revoke}
        <span class="visually-hidden"> {apiKey.name}</span>
      </button>
      <Confirm
        open={asks}
        title={texts.keys.revokeTitle(apiKey.name)}
        text={texts.keys.revokeText}
        action={texts.keys.revoke}
        onConfirm={() => mutate()}
        onClose={() => setAsks(false)}
        isBusy={isPending}
        error={error}
      />
    </>
  );
};

type Props = { readonly apiKey: ApiKey; readonly spend: string | undefined };

export const KeyRow = ({ apiKey, spend }: Props) => {
  // Only a countdown needs every second.
  const now = useNow(keyState(apiKey, serverNow()).state === 'revoking' ? 1000 : 30_000);
  const state = keyState(apiKey, now);
  const { prices } = useCurrentSession();
  const { expires_at, budget } = apiKey;
  return (
    <tr class={state.state === 'active' ? '' : 'row-over'}>
      <th scope="row" dir="auto">
        {apiKey.name}
      </th>
      <td data-label={texts.keys.key}>
        <code class="number">{apiKey.redacted_value}</code>
      </td>
      <td class="number" data-label={texts.keys.created}>
        {formatDate(apiKey.created_at)}
      </td>
      <td class="number" data-label={texts.keys.expires}>
        {expires_at === null ? texts.keys.never : formatDate(expires_at)}
      </td>
      <td class="number" data-label={texts.keys.budget}>
        {budget === null ? texts.keys.noBudget : formatMoney(budget, prices.currency)}
      </td>
      <td class="number" data-label={texts.keys.spend}>
        {spend === undefined ? texts.states.none : formatMoney(spend, prices.currency)}
      </td>
      <td class="cell-end">
        {state.state === 'active' ? <Revoke apiKey={apiKey} /> : <StateText state={state} />}
      </td>
    </tr>
  );
};
