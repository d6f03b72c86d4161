import { useState } from 'preact/hooks';
import type {
  CreatedInvitation,
  InvitationObject,
  PersonObject,
} from '../../functions/identity/api/people-object.ts';
import type { Role } from '../../functions/identity/domain/roles.ts';
import { useNow } from '../api/clock.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import {
  createInvite,
  deleteInvite,
  invites as inviteQuery,
  personName,
  users as userQuery,
} from '../api/organization.ts';
import { signInOptions } from '../api/sign-in.ts';
import { SmallButton } from '../parts/buttons.tsx';
import { DialogForm, ShowOnce, useCreation, useProblems } from '../parts/dialog.tsx';
import { ActionError, Empty, ErrorProblem, LoadState } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import { formatDate } from '../parts/format.ts';
import { Age, CardTable } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { notify } from '../session/notices.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { ChangeRole, RemovePerson, RoleField } from './change-person.tsx';

/** Finds typing errors; the API decides. */
const looksLikeEmail = (text: string): boolean => {
  const [name = '', domain = '', ...rest] = text.split('@');
  return rest.length === 0 && name !== '' && domain.includes('.') && !text.includes(' ');
};

type FormProps = {
  readonly onClose: () => void;
  readonly onCreated: (invite: CreatedInvitation) => void;
};

const InviteForm = ({ onClose, onCreated }: FormProps) => {
  const { data: options } = useQuery(signInOptions);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const creation = useMutation(() => createInvite(email.trim(), role), onCreated);
  const isInvalid = email.trim() !== '' && !looksLikeEmail(email.trim());
  const problems = { email: isInvalid ? texts.people.emailInvalid : undefined };
  const [shown, submit] = useProblems(problems, creation.mutate);
  return (
    <DialogForm action={texts.people.createInvite} mutation={creation} onSubmit={submit} onClose={onClose}>
      <TextField
        label={texts.people.email}
        hint={options?.provider === null ? texts.people.emailHintLinks : texts.people.emailHint}
        problem={shown.email}
        type="email"
        autoComplete="off"
        value={email}
        onChange={setEmail}
      />
      <RoleField value={role} onChange={setRole} />
    </DialogForm>
  );
};

const InviteRow = ({ invite }: { readonly invite: InvitationObject }) => {
  const { mutate, isPending, error } = useMutation(
    () => deleteInvite(invite.id),
    () => notify(texts.people.inviteDeleted),
  );
  const whom = invite.email ?? texts.people.withLink;
  return (
    <li class="stack stack-tight">
      <div class="row spread">
        <span>
          <span class="breaks">{whom}</span>
          <span class="quiet small below breaks">
            {texts.account.roles[invite.role]} ·{' '}
            {invite.status === 'expired'
              ? texts.recent.expired
              : texts.people.until(formatDate(invite.expires_at))}
          </span>
        </span>
        <SmallButton aria-disabled={isPending} onClick={() => void mutate()}>
          {texts.actions.delete}
          <span class="visually-hidden"> {whom}</span>
        </SmallButton>
      </div>
      <ActionError error={error} />
    </li>
  );
};

export const Invitations = () => {
  const { data: invites, error, refetch } = useQuery(inviteQuery);
  return (
    <section class="card stack">
      <h2>{texts.people.pending}</h2>
      {error !== null && <ErrorProblem error={error} retry={refetch} />}
      {invites?.length === 0 && <p class="quiet">{texts.people.none}</p>}
      {invites !== undefined && invites.length > 0 && (
        <ul class="stack">
          {invites.map((invite) => (
            <InviteRow key={invite.id} invite={invite} />
          ))}
        </ul>
      )}
    </section>
  );
};

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
