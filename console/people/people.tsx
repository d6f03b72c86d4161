import type { CreatedInvitation, PersonObject } from '../../functions/identity/api/people-object.ts';
import { useNow } from '../api/clock.ts';
import { useQuery } from '../api/hooks.ts';
import { personName, users as userQuery } from '../api/organization.ts';
import { ShowOnce, useCreation } from '../parts/dialog.tsx';
import { Empty, LoadState } from '../parts/feedback.tsx';
import { formatDate } from '../parts/format.ts';
import { Age, CardTable } from '../parts/lists.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession, useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { ChangeRole, RemovePerson } from './change-person.tsx';
import { Invitations, InviteForm } from './invitations.tsx';

const AGE_UPDATE_MS = 30_000;

type PersonProps = { readonly user: PersonObject };

const useIsSelf = ({ id }: PersonObject): boolean => useCurrentSession().user?.id === id;

const Name = ({ user }: PersonProps) => {
  const name = personName(user);
  return (
    <>
      <span dir="auto">{name}</span>
      {useIsSelf(user) && <span class="badge person-self">{texts.people.you}</span>}
      {name !== user.email && <span class="quiet small below breaks">{user.email}</span>}
    </>
  );
};

const Actions = ({ user }: PersonProps) =>
  useIsSelf(user) ? (
    <span class="quiet small">{texts.people.ownRole}</span>
  ) : (
    <span class="row row-end">
      <ChangeRole user={user} />
      <RemovePerson user={user} />
    </span>
  );

const PeopleTable = ({ users }: { readonly users: readonly PersonObject[] }) => {
  const mayChange = useIsAllowed('people');
  const now = useNow(AGE_UPDATE_MS);
  return (
    <CardTable
      rows={users}
      rowKey={({ id }) => id}
      columns={[
        { title: texts.form.name, cell: (user: PersonObject) => <Name user={user} /> },
        { title: texts.people.role, cell: ({ role }) => texts.account.roles[role] },
        {
          title: texts.people.source,
          cell: ({ source, added_at }) => (
            <span>
              {texts.people.sources[source]}
              <span class="quiet small below breaks">{formatDate(added_at)}</span>
            </span>
          ),
        },
        {
          title: texts.people.lastSignIn,
          cell: ({ last_sign_in_at: at }) => (at === null ? texts.states.never : <Age at={at} now={now} />),
        },
        ...(mayChange
          ? [{ title: '', cell: (user: PersonObject) => <Actions user={user} />, style: 'cell-end' }]
          : []),
      ]}
    />
  );
};

export const People = () => {
  const { project_id } = useCurrentSession();
  const query = useQuery(userQuery, project_id);
  const users = query.data;
  const mayChange = useIsAllowed('people');
  const { button, dialogs } = useCreation<CreatedInvitation>({
    label: texts.people.invite,
    title: texts.people.inviteTitle,
    form: (onCreated, close) => <InviteForm onClose={close} onCreated={onCreated} />,
    // The link is shown once, like the value of a key.
    show: (invite, close) => (
      <ShowOnce
        title={texts.people.linkTitle}
        text={texts.people.linkText(invite === undefined ? '' : formatDate(invite.expires_at))}
        value={invite?.url}
        onClose={close}
      />
    ),
  });
  const inviteButton = mayChange && button;
  return (
    <>
      <PageTitle title={texts.navigation.people} description={texts.people.description}>
        {users !== undefined && users.length > 0 && inviteButton}
      </PageTitle>
      <div class="stack stack-loose">
        {!mayChange && <p class="hint">{texts.people.readOnly}</p>}
        <LoadState {...query} />
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
      {dialogs}
    </>
  );
};
