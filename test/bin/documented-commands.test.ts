import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CONFIG_NAMES, readConfig } from '../../lib/config.ts';
import { dynamoClient } from '../../lib/operator/dynamo-client.ts';
import { documentedCommands, findTreatment, HERE } from '../docs/documented-commands.ts';
import { createTable } from '../support/create-table.ts';
import { call } from '../support/http.ts';
import { SCRIPTS, scriptFile } from '../support/scripts.ts';
import { signInPerson } from '../support/sessions.ts';
import { startDeployedStack } from './deployed-stack.ts';
import { runFile, spawnCommand } from './run-command.ts';
import { openCloud } from './running-cloud.ts';

/** In place of the account of the documents, which other tests of this process use. */
const ACCOUNT = 'documented';
const STATE_TABLE = 'MediaGeneration-DocumentedState';

const { cloud, stack } = await openCloud();
await createTable(dynamoClient(stack.clientConfig), STATE_TABLE, ['id']);
const cloudFormation = await startDeployedStack({
  outputs: {
    ...cloud.outputs,
    UpstreamTableName: STATE_TABLE,
    Upstream1: (cloud.outputs.Upstream1 ?? '').replace('"sample"', '"router"'),
  },
  tables: [],
});
after(() => cloudFormation.close());

const { credentials } = cloud.clientConfig('documented');
const ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL: cloud.endpoint,
  AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.environment.AWS_ENDPOINT_URL,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

type Ended = Awaited<ReturnType<typeof runFile>>;

/** Runs `npm run NAME -- …` with the file of the script. */
const runScript = (text: string, ...more: readonly string[]): Promise<Ended> => {
  const [, name = '', rest = ''] = /^npm run (?:-s )?(\S+) -- (.*)$/.exec(text) ?? [];
  const [words = '', redirected] = rest.split(' > ');
  const { file, args } = scriptFile(SCRIPTS[name] ?? '');
  const given = [...args, ...words.split(' '), ...more];
  // What goes to a file is written past the console.
  return redirected === undefined
    ? runFile(file, given, ENVIRONMENT)
    : spawnCommand('usage', given, ENVIRONMENT);
};

const findKey = async (): Promise<string> => {
  const { output } = await runScript('npm run keys -- list --stack MediaGeneration');
  return (
    output
      .split('\n')
      .find((line) => line.includes(` ${ACCOUNT} `))
      ?.split(' ')[0] ?? ''
  );
};

const openSession = async (): Promise<string> => {
  const signIn = `npm run console -- sign-in --account ${ACCOUNT} --stack MediaGeneration`;
  const [, token] = (await runScript(signIn)).output.trim().split('#');
  const { body } = await call({ ...cloud, apiKey: '' }, 'POST', '/v1/console/sessions', { json: { token } });
  return String(body.id);
};

/** The values for the placeholders of the documents. */
const PLACEHOLDERS: readonly (readonly [name: string, find: () => Promise<string>])[] = [
  ['KEY_ID', findKey],
  ['SESSION_ID', openSession],
  ['PROJECT', async () => 'acme-media'],
];

const fill = async (text: string): Promise<string> => {
  let filled = text.replaceAll(/\bacme\b/g, ACCOUNT);
  for (const [name, find] of PLACEHOLDERS)
    if (filled.includes(name)) filled = filled.replaceAll(name, await find());
  return filled;
};

/** A minute of few videos instead of hours of many. */
const BRIEFLY = ['--tasks-per-hour', '60', '--load', '1m', '--later', '0'];

const joinAccount = async (email: string): Promise<void> => {
  const operator = cloud.clientConfig('operator');
  await signInPerson(
    { ...cloud, operator, sessionsTable: cloud.tableName('SessionsTable') },
    ACCOUNT,
    'admin',
    {
      email,
    },
  );
};

const simulateBriefly = async (text: string): Promise<void> => {
  const { output } = await runScript(text, ...BRIEFLY);
  // Few videos miss the goals for many.
  assert.match(output, /simulated in /);
};

const typeCommand = async (text: string): Promise<void> => {
  if (text.startsWith('npm run simulate')) return simulateBriefly(text);
  // Invited above.
  if (text.includes('people -- list')) await joinAccount('ada@example.com');
  const { code, errors } = await runScript(await fill(text));
  // The upstream of this stack does not answer.
  assert.equal(code, text.includes('upstreams -- check') ? 1 : 0, errors);
};

/** `export MEDIA_GENERATION_MAX_QUEUE_MINUTES=90` sets `maxQueueMinutes`. */
const readSetting = (text: string): void => {
  const [, variable = '', value = ''] = /MEDIA_GENERATION_(\w+)='?(.*?)'?(?: npm .*)?$/.exec(text) ?? [];
  const name = variable.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  assert.ok(
    CONFIG_NAMES.some((known) => known === name),
    name,
  );
  readConfig({ [name]: value });
};

const typed = documentedCommands().filter((command) => findTreatment(command) === HERE);

describe('the documented commands work as written:', () => {
  // An account keeps an admin.
  before(() => joinAccount('zoe@example.com'));

  for (const { document, heading, text } of typed)
    test(`${document}, ${heading}: ${text}`, async () => {
      if (text.includes('MEDIA_GENERATION_')) readSetting(await fill(text));
      else await typeCommand(text);
    });
});
