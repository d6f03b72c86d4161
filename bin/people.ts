import { OperatorError } from '../lib/operator/operated-stack.ts';
import { type KeyChoice, type Role, readEmail, readKeyChoice, readRole } from '../lib/operator/terms.ts';
import { readAccount, runSubcommand, type Work, withOptions } from './operator-command.ts';

const USAGE = `Lists, invites, changes and removes the people of an account.

Usage: npm run -s people -- list --account ACCOUNT [where]
       npm run -s people -- add EMAIL --account ACCOUNT [--role ROLE] [where]
       npm run -s people -- role PERSON --role ROLE --account ACCOUNT [--keys CHOICE] [where]
       npm run -s people -- remove PERSON --account ACCOUNT [--keys CHOICE] [where]

add prints the link of an invitation, which works once, within 7 days. PERSON is an id or an
e-mail address.

  --role ROLE    viewer, member (default of add) or admin
  --keys CHOICE  for the API keys of a person who is removed or becomes a viewer:
                 revoke, or transfer to give them to the account

Where the account is:`;

const OPTIONS = {
  account: { type: 'string' },
  role: { type: 'string' },
  keys: { type: 'string' },
} as const;

/** Loads the SDK only after the options are checked. */
const openPeople = async (stack: Parameters<Work>[0], account: string) =>
  (await import('../lib/operator/people.ts')).accountPeople(stack, account);

const list =
  (account: string): Work =>
  async (stack) =>
    (await openPeople(stack, account)).list(Date.now());

const add =
  (account: string, email: string, role: Role): Work =>
  async (stack) => {
    const link = await (await openPeople(stack, account)).add(email, role);
    console.error(`Send the link to ${email}; it works once, within 7 days.`);
    return link;
  };

const requirePerson = (command: string, person: string | undefined): string => {
  if (person === undefined)
    throw new OperatorError(`${command} requires the id or the e-mail address of a person; list shows them.`);
  return person;
};

const changeRole =
  (account: string, person: string, role: Role, keys: KeyChoice | undefined): Work =>
  async (stack) => {
    const { id } = await (await openPeople(stack, account)).changeRole(person, role, keys);
    return `${id} is ${role} of ${account}; the role takes effect everywhere within a minute.`;
  };

const remove =
  (account: string, person: string, keys: KeyChoice | undefined): Work =>
  async (stack) => {
    const { id } = await (await openPeople(stack, account)).remove(person, keys);
    return `${id} is removed from ${account}; open sessions end everywhere within a minute.`;
  };

const readOwner = ({ account }: { account?: string | undefined }) => readAccount(account, '--account');

await runSubcommand(USAGE, withOptions(OPTIONS), {
  list: { options: ['account'], prepare: (given) => list(readOwner(given)) },
  add: {
    takesOperand: true,
    options: ['account', 'role'],
    prepare: (given) => add(readOwner(given), readEmail(given.operand), readRole(given.role ?? 'member')),
  },
  role: {
    takesOperand: true,
    options: ['account', 'role', 'keys'],
    prepare: (given) => {
      const account = readOwner(given);
      const person = requirePerson('role', given.operand);
      return changeRole(account, person, readRole(given.role), readKeyChoice(given.keys));
    },
  },
  remove: {
    takesOperand: true,
    options: ['account', 'keys'],
    prepare: (given) =>
      remove(readOwner(given), requirePerson('remove', given.operand), readKeyChoice(given.keys)),
  },
});
