import { Download } from 'lucide-preact';
import type { AuditLogObject } from '../../functions/identity/api/audit-log-object.ts';
import { csvLine } from '../../functions/platform/domain/text.ts';
import { useMutation, usePages } from '../api/hooks.ts';
import { type AuditFilter, auditPages, fetchAuditEntries } from '../api/organization.ts';
import { Button } from '../parts/buttons.tsx';
import { ActionError, Empty, LoadState } from '../parts/feedback.tsx';
import { DayRange, FilterSelects, midnight, useUrlFilters } from '../parts/filters.tsx';
import { formatTime } from '../parts/format.ts';
import { CardTable, LoadMore } from '../parts/lists.tsx';
import { saveFile } from '../parts/object-url.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { useKeyName, usePeople, usePersonName } from '../people/names.ts';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { clientName, describeEntry } from './describe-entry.ts';

/** Days such as `2026-01-31`, both included. */
const NO_FILTERS = { type: '', person: '', from: '', to: '' };
type Filters = Readonly<typeof NO_FILTERS>;

const toAuditFilter = ({ type, person, from, to }: Filters): AuditFilter => ({
  type,
  person,
  from: midnight(from, 0),
  to: midnight(to, 1),
});

type FilterProps = { readonly filters: Filters; readonly onChange: (change: Partial<Filters>) => void };

const EVENTS = Object.entries(texts.audit.events).map(([type, [choice]]) => [type, choice] as const);

const AuditFilters = ({ filters, onChange }: FilterProps) => {
  const people = usePeople() ?? [];
  return (
    <search class="audit-filters">
      <FilterSelects
        filters={filters}
        onChange={onChange}
        selects={[
          ['type', texts.audit.type, [['', texts.audit.allTypes], ...EVENTS]],
          ['person', texts.people.person, [['', texts.people.everybody], ...people]],
        ]}
      />
      <DayRange range={filters} onChange={onChange} />
    </search>
  );
};

/** Returns a function that names who did it: a person, a key, an operator, or whoever used a sign-in link. */
const useActorName = (): ((entry: AuditLogObject) => string) => {
  const personName = usePersonName();
  const keyName = useKeyName();
  return (entry) => {
    const { type, session, api_key: key } = entry.actor;
    if (type === 'operator') return texts.audit.operator;
    if (type === 'api_key') return texts.audit.key(keyName(key?.id ?? ''));
    const user = session?.user;
    if (user === undefined || user === null)
      return entry.type === 'login.failed' ? texts.audit.unknown : texts.account.link;
    return user.email || personName(user.id);
  };
};

const What = ({ entry }: { readonly entry: AuditLogObject }) => {
  const { sentence, facts } = describeEntry(entry);
  return (
    <>
      <span dir="auto">{sentence}</span>
      {facts.length > 0 && (
        <span class="quiet small below breaks">
          {facts.map(([name, value]) => texts.audit.fact(name, value)).join(' · ')}
        </span>
      )}
    </>
  );
};

const Where = ({ actor: { session, api_key: key } }: Pick<AuditLogObject, 'actor'>) => {
  const { ip_address: ip, user_agent: client } = session ?? key ?? {};
  return (
    <span class="audit-where" title={client ?? undefined}>
      {ip ?? texts.states.none}
      {client !== undefined && client !== null && (
        <span class="quiet small below breaks">{clientName(client)}</span>
      )}
    </span>
  );
};

const toCsv = (entries: readonly AuditLogObject[], actorName: (entry: AuditLogObject) => string): string =>
  [
    csvLine(['time', 'event', 'who', 'what', 'details', 'ip_address', 'user_agent']),
    ...entries.map((entry) => {
      const { sentence, facts } = describeEntry(entry);
      const { ip_address: ip = null, user_agent: client = null } =
        entry.actor.session ?? entry.actor.api_key ?? {};
      const time = new Date(entry.effective_at * 1000).toISOString();
      const details = facts.map(([name, value]) => texts.audit.fact(name, value)).join('; ');
      return csvLine([time, entry.type, actorName(entry), sentence, details, ip, client]);
    }),
  ].join('');

/** Downloads all entries that pass the filters, not only the shown ones. */
const Export = ({ filters }: Pick<FilterProps, 'filters'>) => {
  const actorName = useActorName();
  const { mutate, isPending, error } = useMutation(
    () => fetchAuditEntries(toAuditFilter(filters)),
    (entries) => saveFile('audit-log.csv', new Blob([toCsv(entries, actorName)], { type: 'text/csv' })),
  );
  return (
    <>
      <ActionError error={error} />
      <div class="row row-end">
        <Button icon={Download} aria-disabled={isPending} onClick={() => void mutate()}>
          {texts.usage.csv}
        </Button>
      </div>
    </>
  );
};

const Entries = () => {
  const [filters, setFilters] = useUrlFilters('/audit', NO_FILTERS);
  const actorName = useActorName();
  const list = usePages(auditPages, toAuditFilter(filters));
  const entries = list.data?.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <AuditFilters filters={filters} onChange={setFilters} />
      <div class="stack">
        <LoadState {...list} />
        {list.data !== undefined && entries.length === 0 && !list.hasMore && (
          <Empty
            title={texts.audit.emptyTitle}
            text={isFiltered ? texts.audit.noMatch : texts.audit.emptyText}
          >
            {isFiltered && <Button onClick={() => setFilters(NO_FILTERS)}>{texts.library.clear}</Button>}
          </Empty>
        )}
        {entries.length > 0 && <Export filters={filters} />}
        {entries.length > 0 && (
          <CardTable
            rows={entries}
            columns={[
              { title: texts.audit.what, cell: (entry) => <What entry={entry} />, style: 'audit-what' },
              { title: texts.audit.who, cell: actorName, style: 'audit-who' },
              {
                title: texts.audit.when,
                cell: ({ effective_at: at }) => (
                  <time dateTime={new Date(at * 1000).toISOString()}>{formatTime(at)}</time>
                ),
                style: 'number',
              },
              { title: texts.audit.where, cell: ({ actor }) => <Where actor={actor} /> },
            ]}
          />
        )}
        <LoadMore {...list} label={texts.audit.older} />
      </div>
    </>
  );
};

export const AuditLog = () => (
  <>
    <PageTitle title={texts.navigation.audit} description={texts.audit.description} />
    {useIsAllowed('audit') ? (
      <Entries />
    ) : (
      <Empty title={texts.audit.adminsTitle} text={texts.audit.adminsText} />
    )}
  </>
);
