import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CreatedKey, KeyObject } from '../../functions/identity/api/key-object.ts';
import { serverNow, useNow } from '../api/clock.ts';
import { useQuery } from '../api/hooks.ts';
import { keys as keyQuery, personName } from '../api/organization.ts';
import { useCosts } from '../api/usage.ts';
import { Plus } from '../page-icons.mjs';
import { Choices } from '../parts/choices.tsx';
import { Empty, ErrorProblem, RoleNote, Waiting } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import { formatAge, formatDate, formatMoney, formatNumber, formatTime } from '../parts/format.ts';
import { CardTable } from '../parts/lists.tsx';
import { notifyError } from '../shell/notices.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession, useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { groupTotals, lastDays, spendByDay } from '../usage/spend.ts';
import { CreateKey, EditKey, RevokeKey, ShowKey } from './key-dialogs.tsx';
import { type KeyState, keyState } from './key-state.ts';

const SPEND_DAYS = 30;

const StateBadge = ({ state }: { readonly state: KeyState }) => {
  if (state.state === 'revoking')
    return (
      <span class="badge badge-failed number">{texts.keys.revoking(formatNumber(state.secondsLeft))}</span>
    );
  return <span class="badge">{state.state === 'expired' ? texts.keys.expired : texts.keys.revoked}</span>;
};

type RowProps = { readonly apiKey: KeyObject; readonly spend: string | undefined };

type Owned = Pick<KeyObject, 'owner'>;

/** The person to whom a key belongs; undefined if it belongs to the account. */
const keyOwner = ({ owner }: Owned) => (owner.type === 'user' ? owner.user : undefined);

const isOwnedBy = (key: Owned, personId: string | undefined): boolean =>
  personId !== undefined && keyOwner(key)?.id === personId;

/** Admins change all keys, members their own. */
const useMayChange = (apiKey: KeyObject): boolean => {
  const mayChangeAll = useIsAllowed('allKeys');
  const mayChangeOwn = useIsAllowed('ownKeys');
  const { user } = useCurrentSession();
  return mayChangeAll || (mayChangeOwn && isOwnedBy(apiKey, user?.id));
};

const ownerName = (apiKey: KeyObject): string => {
  const owner = keyOwner(apiKey);
  if (owner === undefined) return texts.keys.account;
  return owner.role === 'removed' ? texts.people.former : personName(owner);
};

const KeyRow = ({ apiKey, spend }: RowProps) => {
  // Only the countdown after a revocation needs every second.
  const now = useNow(keyState(apiKey, serverNow()).state === 'revoking' ? 1000 : 30_000);
  const state = keyState(apiKey, now);
  const { prices } = useCurrentSession();
  const mayChange = useMayChange(apiKey);
  const { last_used_at, expires_at, budget } = apiKey;
  return (
    <tr class={state.state === 'active' ? '' : 'row-over'}>
      <th scope="row" dir="auto">
        {apiKey.name}
      </th>
      <td data-label={texts.keys.owner} class="key-owner">
        {ownerName(apiKey)}
      </td>
      <td data-label={texts.keys.key}>
        <code class="number">{apiKey.redacted_value}</code>
      </td>
      <td class="number" data-label={texts.keys.created}>
        {formatDate(apiKey.created_at)}
      </td>
      <td class="number" data-label={texts.keys.lastUsed}>
        {last_used_at === null ? (
          texts.keys.notUsed
        ) : (
          <span title={formatTime(last_used_at)}>{formatAge(last_used_at, now)}</span>
        )}
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
        {state.state === 'active' ? (
          mayChange && (
            <span class="row row-end">
              <EditKey apiKey={apiKey} />
              <RevokeKey apiKey={apiKey} />
            </span>
          )
        ) : (
          <StateBadge state={state} />
        )}
      </td>
    </tr>
  );
};

const KeyTable = ({ keys }: { readonly keys: readonly KeyObject[] }) => {
  const days = useMemo(() => lastDays(serverNow(), SPEND_DAYS), []);
  const { data: costs, error } = useCosts(days, 'api_key_id');
  const spend = useMemo(() => new Map(groupTotals(spendByDay(costs ?? [], 'api_key_id'))), [costs]);
  return (
    <>
      {error !== null && <ErrorProblem error={error} />}
      <CardTable
        columns={[
          texts.keys.name,
          texts.keys.owner,
          texts.keys.key,
          texts.keys.created,
          texts.keys.lastUsed,
          texts.keys.expires,
          texts.keys.budget,
          texts.keys.spend,
          '',
        ]}
      >
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} spend={spend.get(key.id)} />
        ))}
      </CardTable>
      <p class="hint">{texts.keys.lastUsedHint}</p>
    </>
  );
};

const KEY_ID_DIGITS = 16;

/** A key's id is the start of its SHA-256, so the key does not have to be sent anywhere. */
const toKeyId = async (value: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value));
  const digits = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `key_${digits.slice(0, KEY_ID_DIGITS)}`;
};

const describeKey = (key: KeyObject | undefined): string => {
  if (key === undefined) return texts.keys.whoseUnknown;
  return key.revoked_at === null ? texts.keys.whoseKnown(key.name) : texts.keys.whoseRevoked(key.name);
};

/** Says to which key of the account a pasted value belongs. */
const WhoseKey = ({ keys }: { readonly keys: readonly KeyObject[] }) => {
  const [pasted, setPasted] = useState('');
  const [id, setId] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    setId(undefined);
    if (pasted.trim() !== '')
      toKeyId(pasted.trim()).then((found) => {
        if (isCurrent) setId(found);
      }, notifyError);
    return () => {
      isCurrent = false;
    };
  }, [pasted]);
  return (
    <section class="card stack">
      <h2>{texts.keys.whose}</h2>
      <TextField
        label={texts.keys.key}
        hint={texts.keys.whoseHint}
        type="password"
        autoComplete="off"
        placeholder="mgk_…"
        value={pasted}
        onChange={setPasted}
      />
      <p role="status">{id !== undefined && describeKey(keys.find((key) => key.id === id))}</p>
    </section>
  );
};

const WHOSE = ['all', 'mine'] as const;

export const Keys = () => {
  const { project_id, user } = useCurrentSession();
  const mayCreate = useIsAllowed('ownKeys');
  const mayChangeAll = useIsAllowed('allKeys');
  const [whose, setWhose] = useState<(typeof WHOSE)[number]>('all');
  const { data, error, refetch } = useQuery(keyQuery, project_id);
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  const keys = data?.data ?? [];
  const shown = whose === 'all' ? keys : keys.filter((key) => isOwnedBy(key, user?.id));
  const createButton = mayCreate && (
    <button type="button" class="button button-primary" onClick={() => setIsCreating(true)}>
      <Plus size={18} aria-hidden />
      {texts.keys.create}
    </button>
  );
  return (
    <>
      <PageTitle title={texts.keys.title} description={texts.keys.description}>
        {keys.length > 0 && createButton}
      </PageTitle>
      <div class="stack">
        {error !== null && <ErrorProblem error={error} retry={refetch} />}
        {data === undefined && error === null && <Waiting />}
        {data !== undefined && keys.length === 0 && (
          <Empty title={texts.keys.emptyTitle} text={texts.keys.emptyText}>
            {createButton}
          </Empty>
        )}
        <RoleNote action="ownKeys" />
        {mayCreate && !mayChangeAll && <p class="hint">{texts.keys.membersHint}</p>}
        {keys.length > 0 && user !== null && (
          <div class="row toolbar">
            <Choices
              legend={texts.keys.whoseShown}
              value={whose}
              choices={WHOSE.map((value) => ({ value, label: texts.keys.shown[value] }))}
              onChange={setWhose}
            />
          </div>
        )}
        {shown.length > 0 && <KeyTable keys={shown} />}
        {keys.length > 0 && shown.length === 0 && <p class="quiet">{texts.keys.noneOfMine}</p>}
        {keys.length > 0 && <WhoseKey keys={keys} />}
      </div>
      <CreateKey
        open={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(key) => {
          setIsCreating(false);
          setCreated(key);
        }}
      />
      <ShowKey apiKey={created} onClose={() => setCreated(undefined)} />
    </>
  );
};
