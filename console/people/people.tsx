import { useState } from 'preact/hooks';
import type { CreatedInvitation, PersonObject } from '../../functions/identity/api/people-object.ts';
import { useNow } from '../api/clock.ts';
import { useQuery } from '../api/hooks.ts';
import { personName, users as userQuery } from '../api/organization.ts';
import { Plus } from '../page-icons.mjs';
import { ShowOnce } from '../parts/dialog.tsx';
import { Empty, ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { formatAge, formatDate, formatTime } from '../parts/format.ts';
import { CardTable } from '../parts/lists.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession, useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { ChangeRole, RemovePerson } from './change-person.tsx';
import { Invitations, InviteDialog } from './invitations.tsx';

const AGE_UPDATE_MS = 30_000;

type RowProps = { readonly user: PersonObject; readonly mayChange: boolean; readonly now: number };

const PersonRow = ({ user, mayChange, now }: RowProps) => {
  const isSelf = useCurrentSession().user?.id === user.id;
  const name = personName(user);
  return (
    <tr>
      <th scope="row">
        <span dir="auto">{name}</span>
        {isSelf && <span class="badge person-self">{texts.people.you}</span>}
        {name !== user.email && <span class="quiet small person-email">{user.email}</span>}
      </th>
      <td data-label={texts.people.role}>{texts.account.roles[user.role]}</td>
      <td data-label={texts.people.source}>
        <span>
          {texts.people.sources[user.source]}
          <span class="quiet small person-email">{formatDate(user.added_at)}</span>
        </span>
      </td>
      <td data-label={texts.people.lastSignIn}>
        {user.last_sign_in_at === null ? (
          texts.people.never
        ) : (
          <time
            dateTime={new Date(user.last_sign_in_at * 1000).toISOString()}
            title={formatTime(user.last_sign_in_at)}
          >
            {formatAge(user.last_sign_in_at, now)}
          </time>
        )}
      </td>
      {mayChange && (
        <td class="cell-end">
          {isSelf ? (
            <span class="quiet small">{texts.people.ownRole}</span>
          ) : (
            <span class="row row-end">
              <ChangeRole user={user} />
              <RemovePerson user={user} />
            </span>
          )}
        </td>
      )}
    </tr>
  );
};

const PeopleTable = ({ users }: { readonly users: readonly PersonObject[] }) => {
  const mayChange = useIsAllowed('people');
  const now = useNow(AGE_UPDATE_MS);
  const columns = [texts.people.name, texts.people.role, texts.people.source, texts.people.lastSignIn];
  return (
    <CardTable columns={mayChange ? [...columns, ''] : columns}>
      {users.map((user) => (
        <PersonRow key={user.id} user={user} mayChange={mayChange} now={now} />
      ))}
    </CardTable>
  );
};

/** The link is shown once, like the value of a key. */
const ShowLink = ({
  invite,
  onClose,
}: {
  readonly invite?: CreatedInvitation | undefined;
  readonly onClose: () => void;
}) => (
  <ShowOnce
    title={texts.people.linkTitle}
    text={texts.people.linkText(invite === undefined ? '' : formatDate(invite.expires_at))}
    value={invite?.url}
    done={texts.people.linkDone}
    onClose={onClose}
  />
);

export const People = () => {
  const { project_id } = useCurrentSession();
  const { data: users, error, refetch } = useQuery(userQuery, project_id);
  const mayChange = useIsAllowed('people');
  const [isInviting, setIsInviting] = useState(false);
  const [invite, setInvite] = useState<CreatedInvitation>();
  const inviteButton = mayChange && (
    <button type="button" class="button button-primary" onClick={() => setIsInviting(true)}>
      <Plus size={18} aria-hidden />
      {texts.people.invite}
    </button>
  );
  return (
    <>
      <PageTitle title={texts.people.title} description={texts.people.description}>
        {users !== undefined && users.length > 0 && inviteButton}
      </PageTitle>
      <div class="stack stack-loose">
        {!mayChange && <p class="hint">{texts.people.readOnly}</p>}
        {error !== null && <ErrorProblem error={error} retry={refetch} />}
        {users === undefined && error === null && <Waiting />}
        {users?.length === 0 && (
          <Empty
            title={texts.people.emptyTitle}
            text={mayChange ? texts.people.emptyText : texts.people.emptyReadOnly}
          >
            {inviteButton}
          </Empty>
        )}
        {users !== undefined && users.length > 0 && <PeopleTable users={users} />}
        {mayChange && <Invitations />}
      </div>
      <InviteDialog
        open={isInviting}
        onClose={() => setIsInviting(false)}
        onCreated={(created) => {
          setIsInviting(false);
          setInvite(created);
        }}
      />
      <ShowLink invite={invite} onClose={() => setInvite(undefined)} />
    </>
  );
};
