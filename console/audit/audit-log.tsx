import type { AuditLogObject } from '../../functions/audit/api/audit-log-object.ts';
import { usePages, useQuery } from '../api/hooks.ts';
import { auditPages, keys as keyQuery, usePersonName } from '../api/organization.ts';
import { Empty, ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { formatTime } from '../parts/format.ts';
import { CardTable, LoadMore } from '../parts/lists.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession, useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { AuditFilters, NO_FILTERS, toAuditFilter, useAuditFilters } from './audit-filters.tsx';
import { clientName, describeEntry } from './describe-entry.ts';

/** Returns a function that names who did it: a person, a key, an operator, or whoever used a sign-in link. */
const useActorName = (): ((entry: AuditLogObject) => string) => {
  const { project_id } = useCurrentSession();
  const personName = usePersonName();
  const { data: keys } = useQuery(keyQuery, project_id);
  return (entry) => {
    const { type, session, api_key: key } = entry.actor;
    if (type === 'operator') return texts.audit.operator;
    if (type === 'api_key') {
      const name = keys?.data.find(({ id }) => id === key?.id)?.name ?? key?.id ?? '';
      return texts.audit.key(name);
    }
    const user = session?.user;
    if (user === undefined || user === null)
      return entry.type === 'login.failed' ? texts.audit.unknown : texts.account.link;
    return user.email || personName(user.id);
  };
};

type RowProps = { readonly entry: AuditLogObject; readonly actor: string };

const EntryRow = ({ entry, actor }: RowProps) => {
  const { sentence, facts } = describeEntry(entry);
  const { session, api_key: key } = entry.actor;
  const { ip_address: ip, user_agent: client } = session ?? key ?? {};
  return (
    <tr>
      <th scope="row" class="audit-what">
        <span dir="auto">{sentence}</span>
        {facts.length > 0 && (
          <span class="quiet small audit-facts">
            {facts.map(([name, value]) => texts.audit.fact(name, value)).join(' · ')}
          </span>
        )}
      </th>
      <td data-label={texts.audit.who} class="audit-who">
        {actor}
      </td>
      <td data-label={texts.audit.when} class="number">
        <time dateTime={new Date(entry.effective_at * 1000).toISOString()}>
          {formatTime(entry.effective_at)}
        </time>
      </td>
      <td data-label={texts.audit.where}>
        <span class="audit-where" title={client ?? undefined}>
          {ip ?? texts.states.none}
          {client !== undefined && client !== null && (
            <span class="quiet small audit-facts">{clientName(client)}</span>
          )}
        </span>
      </td>
    </tr>
  );
};

const Entries = () => {
  const [filters, setFilters] = useAuditFilters();
  const actorName = useActorName();
  const { pages, error, refetch, hasMore, isLoadingMore, loadMore } = usePages(
    auditPages,
    toAuditFilter(filters),
  );
  const entries = pages?.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <AuditFilters filters={filters} onChange={setFilters} />
      <div class="stack">
        {error !== null && <ErrorProblem error={error} retry={refetch} />}
        {pages === undefined && error === null && <Waiting />}
        {pages !== undefined && entries.length === 0 && !hasMore && (
          <Empty
            title={texts.audit.emptyTitle}
            text={isFiltered ? texts.audit.noMatch : texts.audit.emptyText}
          >
            {isFiltered && (
              <button type="button" class="button" onClick={() => setFilters(NO_FILTERS)}>
                {texts.library.clear}
              </button>
            )}
          </Empty>
        )}
        {entries.length > 0 && (
          <CardTable columns={[texts.audit.what, texts.audit.who, texts.audit.when, texts.audit.where]}>
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} actor={actorName(entry)} />
            ))}
          </CardTable>
        )}
        {hasMore && (
          <LoadMore isBusy={isLoadingMore} onMore={() => void loadMore()} label={texts.audit.older} />
        )}
      </div>
    </>
  );
};

export const AuditLog = () => (
  <>
    <PageTitle title={texts.audit.title} description={texts.audit.description} />
    {useIsAllowed('audit') ? (
      <Entries />
    ) : (
      <Empty title={texts.audit.adminsTitle} text={texts.audit.adminsText} />
    )}
  </>
);
