import { useEffect, useMemo, useState } from 'preact/hooks';
import type { KeyObject } from '../../functions/identity/api/key-object.ts';
import { serverNow, useNow } from '../api/clock.ts';
import { lastDays } from '../api/days.ts';
import { useQuery } from '../api/hooks.ts';
import { sha256 } from '../api/image-files.ts';
import { keys as keyQuery, personName } from '../api/organization.ts';
import { costs as costQuery } from '../api/usage.ts';
import { Choices } from '../parts/choices.tsx';
import { Empty, ErrorProblem, LoadState, RoleNote } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import { formatAge, formatDate, formatMoney, formatNumber, formatTime } from '../parts/format.ts';
import { CardTable } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { notifyError } from '../session/notices.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { groupTotals, spendByDay } from '../usage/spend.ts';
import { EditKey, RevokeKey, useKeyCreation } from './key-dialogs.tsx';
import { type KeyState, keyState } from './key-state.ts';

const SPEND_DAYS = 30;

const StateBadge = ({ state }: { readonly state: KeyState }) => {
  if (state.state === 'revoking')
    return (
      <span class="badge badge-failed number">{texts.keys.revoking(formatNumber(state.secondsLeft))}</span>
    );
  return <span class="badge">{state.state === 'expired' ? texts.recent.expired : texts.keys.revoked}</span>;
};

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
  if (owner === undefined) return texts.scope.account;
  return owner.role === 'removed' ? texts.people.former : personName(owner);
};

const Actions = ({ apiKey, now }: { readonly apiKey: KeyObject; readonly now: number }) => {
  const mayChange = useMayChange(apiKey);
  const state = keyState(apiKey, now);
  if (state.state !== 'active') return <StateBadge state={state} />;
  return mayChange ? (
    <span class="row row-end">
      <EditKey apiKey={apiKey} />
      <RevokeKey apiKey={apiKey} />
    </span>
  ) : null;
};

const KeyTable = ({ keys }: { readonly keys: readonly KeyObject[] }) => {
  const { currency } = useCurrentSession().prices;
  // Only the countdown after a revocation needs every second.
  const isCounting = keys.some((key) => keyState(key, serverNow()).state === 'revoking');
  const now = useNow(isCounting ? 1000 : 30_000);
  const days = useMemo(() => lastDays(serverNow(), SPEND_DAYS), []);
  const { data: costs, error } = useQuery(costQuery, days, 'api_key_id');
  const spend = useMemo(() => new Map(groupTotals(spendByDay(costs ?? [], 'api_key_id'))), [costs]);
  const money = (amount: string | null | undefined, otherwise: string): string =>
    amount === null || amount === undefined ? otherwise : formatMoney(amount, currency);
  return (
    <>
      {error !== null && <ErrorProblem error={error} />}
      <CardTable
        rows={keys}
        rowStyle={(key) => (keyState(key, now).state === 'active' ? '' : 'quiet')}
        columns={[
          { title: texts.form.name, cell: ({ name }) => name },
          { title: texts.keys.owner, cell: ownerName, style: 'key-owner' },
          { title: texts.keys.key, cell: (key) => <code class="number">{key.redacted_value}</code> },
          { title: texts.task.steps.created, cell: (key) => formatDate(key.created_at), style: 'number' },
          {
            title: texts.keys.lastUsed,
            cell: ({ last_used_at: at }) =>
              at === null ? texts.keys.notUsed : <span title={formatTime(at)}>{formatAge(at, now)}</span>,
            style: 'number',
          },
          {
            title: texts.keys.expires,
            cell: ({ expires_at: at }) => (at === null ? texts.states.never : formatDate(at)),
            style: 'number',
          },
          {
            title: texts.keys.budget,
            cell: ({ budget }) => money(budget, texts.keys.noBudget),
            style: 'number',
          },
          {
            title: texts.keys.spend,
            cell: ({ id }) => money(spend.get(id), texts.states.none),
            style: 'number',
          },
          { title: '', cell: (key) => <Actions apiKey={key} now={now} />, style: 'cell-end' },
        ]}
      />
      <p class="hint">{texts.keys.lastUsedHint}</p>
    </>
  );
};

const KEY_ID_DIGITS = 16;

/** A key's id is the start of its SHA-256, so the key does not have to be sent anywhere. */
const toKeyId = async (value: string): Promise<string> =>
  `key_${(await sha256(new Blob([value]))).slice(0, KEY_ID_DIGITS)}`;

const describeKey = (key: KeyObject | undefined): string => {
  if (key === undefined) return texts.keys.whoseUnknown;
  return key.revoked_at === null ? texts.keys.whoseKnown(key.name) : texts.keys.whoseRevoked(key.name);
};

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
  const query = useQuery(keyQuery, project_id);
  const { button, dialogs } = useKeyCreation();
  const keys = query.data?.data ?? [];
  const shown = whose === 'all' ? keys : keys.filter((key) => isOwnedBy(key, user?.id));
  const createButton = mayCreate && button;
  return (
    <>
      <PageTitle title={texts.navigation.keys} description={texts.keys.description}>
        {keys.length > 0 && createButton}
      </PageTitle>
      <div class="stack">
        <LoadState {...query} />
        {query.data !== undefined && keys.length === 0 && (
          <Empty title={texts.keys.emptyTitle} text={texts.keys.emptyText}>
            {createButton}
          </Empty>
        )}
        <RoleNote action="ownKeys" />
        {mayCreate && !mayChangeAll && <p class="hint">{texts.keys.membersHint}</p>}
        {keys.length > 0 && user !== null && (
          <div class="row toolbar">
            <Choices
              legend={texts.scope.legend}
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
      {dialogs}
    </>
  );
};
