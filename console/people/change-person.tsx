import { useState } from 'preact/hooks';
import type { PersonObject } from '../../functions/identity/api/people-object.ts';
import { KEY_CHOICES, type KeyChoice } from '../../functions/identity/domain/people.ts';
import { mayHaveKeys, ROLES, type Role } from '../../functions/identity/domain/roles.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import { changeRole, keys, personName, refreshKeys, removeUser } from '../api/organization.ts';
import { Choices } from '../parts/choices.tsx';
import { DialogAction, DialogButton, DialogForm } from '../parts/dialog.tsx';
import { formatNumber } from '../parts/format.ts';
import { notify } from '../session/notices.ts';
import { useCurrentSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

/** All roles, the usual one first. */
const ROLE_CHOICES: readonly Role[] = ['member', ...ROLES.filter((role) => role !== 'member')];

type RoleProps = { readonly value: Role; readonly onChange: (role: Role) => void };

export const RoleField = ({ value, onChange }: RoleProps) => (
  <Choices
    legend={texts.people.role}
    value={value}
    choices={ROLE_CHOICES.map((role) => ({ value: role, label: texts.account.roles[role] }))}
    reason={texts.people.roleHints[value]}
    onChange={onChange}
  />
);

type Props = { readonly user: PersonObject };
type FormProps = Props & { readonly onClose: () => void };

const useKeyCount = (userId: string): number => {
  const { project_id } = useCurrentSession();
  return useQuery(keys, project_id, userId).data?.data.length ?? 0;
};

type ChoiceProps = Props & {
  readonly count: number;
  readonly choice: KeyChoice;
  readonly onChange: (choice: KeyChoice) => void;
};

const KeyChoiceField = ({ user, count, choice, onChange }: ChoiceProps) => (
  <fieldset class="field">
    <legend class="label">{texts.people.keys(personName(user), formatNumber(count))}</legend>
    {KEY_CHOICES.map((value) => (
      <label key={value} class="line switch">
        <input
          type="radio"
          name="key-choice"
          value={value}
          checked={choice === value}
          onChange={() => onChange(value)}
        />
        {texts.people.keyChoices[value](count)}
      </label>
    ))}
  </fieldset>
);

const RoleForm = ({ user, onClose }: FormProps) => {
  const { project_id } = useCurrentSession();
  const [role, setRole] = useState<Role>(user.role);
  const [choice, setChoice] = useState<KeyChoice>('transfer');
  const count = useKeyCount(user.id);
  const needsChoice = !mayHaveKeys(role) && count > 0;
  const change = useMutation(
    () => changeRole(project_id, user.id, role, needsChoice ? choice : undefined),
    () => {
      refreshKeys();
      notify(texts.people.changed(personName(user), texts.account.roles[role].toLowerCase()), 'good');
      onClose();
    },
  );
  return (
    <DialogForm
      action={texts.actions.save}
      mutation={change}
      onClose={onClose}
      onSubmit={() => (role === user.role ? onClose() : void change.mutate())}
    >
      <RoleField value={role} onChange={setRole} />
      {needsChoice && <KeyChoiceField user={user} count={count} choice={choice} onChange={setChoice} />}
    </DialogForm>
  );
};

export const ChangeRole = ({ user }: Props) => (
  <DialogButton
    isSmall
    title={texts.people.changeTitle(personName(user))}
    label={texts.people.change}
    name={personName(user)}
  >
    {(close) =>
      user.source === 'provider' ? <p>{texts.people.byProvider}</p> : <RoleForm user={user} onClose={close} />
    }
  </DialogButton>
);

const RemoveForm = ({ user, onClose }: FormProps) => {
  const { project_id } = useCurrentSession();
  const [choice, setChoice] = useState<KeyChoice>('revoke');
  const count = useKeyCount(user.id);
  const removal = useMutation(
    () => removeUser(project_id, user.id, count > 0 ? choice : undefined),
    () => {
      refreshKeys();
      notify(texts.people.removed(personName(user)));
      onClose();
    },
  );
  return (
    <DialogAction
      action={texts.people.remove}
      mutation={removal}
      onAction={() => void removal.mutate()}
      onClose={onClose}
      isDestructive
    >
      <p>{texts.people.removeText}</p>
      {user.source === 'provider' && <p>{texts.people.removeByProvider}</p>}
      {count > 0 && <KeyChoiceField user={user} count={count} choice={choice} onChange={setChoice} />}
    </DialogAction>
  );
};

export const RemovePerson = ({ user }: Props) => (
  <DialogButton
    isSmall
    kind="button-danger"
    title={texts.people.removeTitle(personName(user))}
    label={texts.people.remove}
    name={personName(user)}
  >
    {(close) => <RemoveForm user={user} onClose={close} />}
  </DialogButton>
);
