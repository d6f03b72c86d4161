import { dynamoInvitations, dynamoPeople } from '../../functions/identity/adapters/dynamo-people.ts';
import { keyAdministration } from '../../functions/identity/adapters/key-administration.ts';
import type { KeyChoice } from '../../functions/identity/domain/people.ts';
import {
  type Invitation,
  isPending,
  type Member,
  normalizeEmail,
} from '../../functions/identity/domain/person.ts';
import type { Role } from '../../functions/identity/domain/roles.ts';
import { invite, listInvitations } from '../../functions/identity/usecases/manage-invitations.ts';
import { changeRole, listPeople, removePerson } from '../../functions/identity/usecases/manage-people.ts';
import { DomainError } from '../../functions/platform/domain/errors.ts';
import { operatorAction, ownerTables, quietLogger } from './audit.ts';
import { dynamoClient } from './dynamo-client.ts';
import { type OperatedStack, OperatorError, stackBaseUrl, stackOutput } from './operated-stack.ts';

const EVERYONE = { limit: Number.POSITIVE_INFINITY, after: undefined };

/** The options of the command are named like the fields of the API. */
const toOperatorError = (error: unknown): unknown =>
  error instanceof DomainError
    ? new OperatorError(error.param === 'keys' ? `--${error.message}` : error.message)
    : error;

/** The people and invitations of one account, for the people command. */
export const accountPeople = (stack: OperatedStack, account: string) => {
  const client = dynamoClient(stack.clientConfig);
  const tables = { ...ownerTables(stack), MEMBER_TABLE: stackOutput(stack, 'MemberTableName') };
  const ports = {
    people: dynamoPeople(client, tables, quietLogger),
    invitations: dynamoInvitations(client, tables, quietLogger),
    keys: keyAdministration(client, tables, quietLogger),
  };
  const action = () => operatorAction(account);

  /** A person by id or by e-mail address. */
  const find = async (who: string): Promise<Member> => {
    const { items } = await listPeople(ports.people, account, EVERYONE);
    const found = items.filter(
      ({ id, email }) => id === who || normalizeEmail(email) === normalizeEmail(who),
    );
    const [person, ...others] = found;
    if (person === undefined)
      throw new OperatorError(`${account} has no person ${who}; list shows the people.`);
    if (others.length > 0)
      throw new OperatorError(
        `Several people have the address ${who}; use an id: ${found.map(({ id }) => id).join(', ')}.`,
      );
    return person;
  };

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toOperatorError(error);
    }
  };

  return {
    /** One line per person, then one per invitation. */
    list: async (now: number): Promise<string[]> => {
      const { items: people } = await listPeople(ports.people, account, EVERYONE);
      const { items: invited } = await listInvitations(ports.invitations, account, EVERYONE);
      return [...people.map(describePerson), ...invited.map((each) => describeInvitation(each, now))];
    },

    /** Returns the link of the invitation. */
    add: (email: string, role: Role): Promise<string> =>
      run(async () => {
        const { token } = await invite(ports, action(), { email, role });
        return `${stackBaseUrl(stack)}/console/sign-in#${token}`;
      }),

    changeRole: (who: string, role: Role, keyChoice: KeyChoice | undefined): Promise<Member> =>
      run(async () => changeRole(ports, action(), (await find(who)).id, { role, keyChoice })),

    remove: (who: string, keyChoice: KeyChoice | undefined): Promise<Member> =>
      run(async () => {
        const person = await find(who);
        await removePerson(ports, action(), person.id, keyChoice);
        return person;
      }),
  };
};

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const describePerson = ({ id, role, email, name, source, addedAt, lastSignInAt }: Member): string =>
  [
    id,
    role,
    email === '' ? '-' : email,
    `added ${toDay(addedAt)}`,
    `from ${source}`,
    lastSignInAt === undefined ? 'never signed in' : `signed in ${toDay(lastSignInAt)}`,
    name,
  ]
    .join('  ')
    .trimEnd();

const describeInvitation = (invitation: Invitation, now: number): string =>
  [
    invitation.id,
    invitation.role,
    invitation.email === '' ? 'by link' : invitation.email,
    `${isPending(invitation, now) ? 'invited until' : 'expired'} ${toDay(invitation.expiresAt)}`,
  ].join('  ');
