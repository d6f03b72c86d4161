import { useState } from 'preact/hooks';
import type { CreatedInvitation, InvitationObject } from '../../functions/identity/api/people-object.ts';
import type { Role } from '../../functions/identity/domain/roles.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import { createInvite, deleteInvite, invites as inviteQuery } from '../api/organization.ts';
import { signInOptions } from '../api/sign-in.ts';
import { SmallButton } from '../parts/buttons.tsx';
import { DialogForm, useProblems } from '../parts/dialog.tsx';
import { ActionError, ErrorProblem } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import { formatDate } from '../parts/format.ts';
import { notify } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';
import { RoleField } from './change-person.tsx';

/** Finds typing errors; the API decides. */
const looksLikeEmail = (text: string): boolean => {
  const [name = '', domain = '', ...rest] = text.split('@');
  return rest.length === 0 && name !== '' && domain.includes('.') && !text.includes(' ');
};

type FormProps = {
  readonly onClose: () => void;
  readonly onCreated: (invite: CreatedInvitation) => void;
};

export const InviteForm = ({ onClose, onCreated }: FormProps) => {
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
