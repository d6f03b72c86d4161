import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

// This data does not exist: arguments are checked first.
const missing = join(await temporaryFolder('arguments'), 'missing');

type Row = readonly [command: Parameters<typeof runCommand>[0], args: string, sentence: string];

const superfluous: readonly Row[] = [
  ['keys', 'create bla --account acme', "create does not take the argument 'bla'."],
  ['keys', 'revoke key_a key_b', "revoke does not take the argument 'key_b'."],
  ['keys', 'revoke key_a -- --admin', "revoke does not take the argument '--admin'."],
  ['audit', 'list acme --account acme', "list does not take the argument 'acme'."],
  ['people', 'remove ada bob --account acme', "remove does not take the argument 'bob'."],
];

const foreign: readonly Row[] = [
  ['keys', 'list --account nobody', 'list does not take the option --account.'],
  ['keys', 'revoke key_x --admin', 'revoke does not take the option --admin.'],
  ['accounts', 'show acme --monthly-budget 50', 'show does not take the option --monthly-budget.'],
  ['people', 'add ada@example.com --account acme --keys revoke', 'add does not take the option --keys.'],
];

/** The values that each option accepts are in the test of the functions that read them. */
const malformed: readonly Row[] = [
  [
    'restore',
    '--to 2026-11-16T25:00:00Z',
    '--to must be a UTC time with seconds, such as 2026-11-16T09:30:00Z.',
  ],
  [
    'keys',
    'create --account acme --expires-in=1w',
    '--expires-in must be a whole number and a unit (s, m, h or d): 90s, 15m, 12h, 30d.',
  ],
  [
    'keys',
    'create --account acme --admin --monthly-budget=5',
    '--monthly-budget is for keys that spend; an admin key does not.',
  ],
  [
    'accounts',
    'set acme',
    'set requires at least one of --monthly-budget, --videos-at-once, --creates-per-minute, --kept-megabytes.',
  ],
  [
    'audit',
    'list --account acme --since yesterday',
    '--since must be a UTC day or time, such as 2026-11-16 or 2026-11-16T09:30:00Z.',
  ],
  [
    'accounts',
    'set - --videos-at-once 1',
    'ACCOUNT must be 1 to 100 letters, digits, dots, dashes, underscores or @, and not a dash alone.',
  ],
];

/** These do not work on a stack. */
const elsewhere: readonly Row[] = [
  ['sample-generator', '--kind sora', '--kind must be one of gemini, vertex, openrouter, openai.'],
  [
    'sample-generator',
    '--kind openai --options all',
    '--options must be one of none, metadata, top-level, media-generation.',
  ],
  ['sample-generator', '--port 65536', '--port must be a whole number from 0 to 65535, not 65536.'],
  [
    'synth',
    '--configuration none',
    '--configuration must be one of core, default, alternatives, existing, everything.',
  ],
];

const testRejection = ([command, args, sentence]: Row, before: readonly string[]) =>
  test(`${command} ${args}`, async () => {
    const { code, output, errors } = await runCommand(command, [...before, ...args.split(' ')]);
    assert.deepEqual({ code, output, errors }, { code: 1, output: '', errors: `${sentence}\n` });
  });

const testRejections = (rows: readonly Row[]) => () => {
  for (const row of rows) testRejection(row, ['--data', missing]);
};

describe('an argument that a subcommand would ignore is rejected', testRejections(superfluous));

describe('a malformed argument is rejected', testRejections(malformed));

describe('an option of another subcommand is rejected', testRejections(foreign));

test('the usage command rejects arguments that are not options', async () => {
  const { code, errors } = await runCommand('usage', ['acme', '--account', 'acme', '--data', missing]);
  assert.equal(code, 1);
  assert.match(errors, /'acme'/);
});

const wrong: readonly Row[] = [
  ['people', 'add ada --account acme', 'add requires an e-mail address, such as ada@example.com.'],
  ['people', 'add --account acme', 'add requires an e-mail address, such as ada@example.com.'],
  [
    'people',
    'add ada@example.com --account acme --role root',
    '--role must be one of viewer, member, admin.',
  ],
  ['people', 'role ada@example.com --account acme', '--role must be one of viewer, member, admin.'],
  [
    'people',
    'role --role admin --account acme',
    'role requires the id or the e-mail address of a person; list shows them.',
  ],
  ['people', 'remove ada@example.com --account acme --keys keep', '--keys must be one of revoke, transfer.'],
  [
    'people',
    'list',
    '--account must be 1 to 100 letters, digits, dots, dashes, underscores or @, and not a dash alone.',
  ],
];

describe('a wrong value is rejected', testRejections(wrong));

describe('a wrong value is rejected by a command that needs no stack', () => {
  for (const row of elsewhere) testRejection(row, []);
});
