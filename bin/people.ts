import { OperatorError } from '../lib/operator/operated-stack.ts';
import { type KeyChoice, type Role, readEmail, readKeyChoice, readRole } from '../lib/operator/terms.ts';
import {
  readAccount,
  readOptions,
  readSubcommand,
  runOnStack,
  WHERE_OPTIONS,
  WHERE_TEXT,
  type Work,
} from './operator-command.ts';

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

Where the account is:
${WHERE_TEXT}`;

const SUBCOMMANDS = {
  list: { operands: 0, options: ['account'] },
  add: { operands: 1, options: ['account', 'role'] },
  role: { operands: 1, options: ['account', 'role', 'keys'] },
  remove: { operands: 1, options: ['account', 'keys'] },
};

const parse = (args: string[]) => {
  const options = {
    account: { type: 'string' },
    role: { type: 'string' },
    keys: { type: 'string' },
    ...WHERE_OPTIONS,
  } as const;
  const given = readOptions({ args, allowPositionals: true, tokens: true, options });
  return { ...given.values, ...readSubcommand(given, SUBCOMMANDS, USAGE) };
};

/** Loads the SDK only after the options are checked. */
const openPeople = async (stack: Parameters<Work>[0], account: string) =>
  (await import('../lib/operator/people.ts')).accountPeople(stack, account);

const list =
  (account: string): Work =>
  async (stack) => {
    for (const line of await (await openPeople(stack, account)).list(Date.now())) console.log(line);
  };

const add =
  (account: string, email: string, role: Role): Work =>
  async (stack) => {
    console.log(await (await openPeople(stack, account)).add(email, role));
    console.error(`Send the link to ${email}; it works once, within 7 days.`);
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
    console.log(`${id} is ${role} of ${account}; the role takes effect everywhere within a minute.`);
  };

const remove =
  (account: string, person: string, keys: KeyChoice | undefined): Work =>
  async (stack) => {
    const { id } = await (await openPeople(stack, account)).remove(person, keys);
    console.log(`${id} is removed from ${account}; open sessions end everywhere within a minute.`);
  };

await runOnStack(parse, ({ command, operand, account: given, role, keys }) => {
  const account = readAccount(given, '--account');
  switch (command) {
    case 'list':
      return list(account);
    case 'add':
      return add(account, readEmail(operand), readRole(role ?? 'member'));
    case 'role':
      return changeRole(account, requirePerson(command, operand), readRole(role), readKeyChoice(keys));
    case 'remove':
      return remove(account, requirePerson(command, operand), readKeyChoice(keys));
  }
});
