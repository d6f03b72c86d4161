import type { Role } from '../../functions/platform/domain/roles.ts';
import { Choices } from '../parts/choices.tsx';
import { texts } from '../texts/texts.ts';

const CHOICES = ['member', 'viewer', 'admin'] as const satisfies readonly Role[];

type Props = { readonly value: Role; readonly onChange: (role: Role) => void };

/** A role, and below it what it allows. */
export const RoleField = ({ value, onChange }: Props) => (
  <Choices
    legend={texts.people.role}
    value={value}
    choices={CHOICES.map((role) => ({ value: role, label: texts.account.roles[role] }))}
    reason={texts.people.roleHints[value]}
    onChange={onChange}
  />
);
