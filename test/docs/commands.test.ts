import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import * as z from 'zod';
import { shellBlock, splitCommands } from '../../lib/rehearsal/documents.ts';
import { REHEARSED } from '../../lib/rehearsal/rehearsals.ts';
import { sharedTemplate } from '../lib/stack/synthesized-template.ts';
import { call } from '../support/http.ts';
import { putVideo } from '../support/library-items.ts';
import { openSharedService } from '../support/open-service.ts';
import { wholeMp4 } from '../support/sample-video.ts';
import { SCRIPTS } from '../support/scripts.ts';
import { unknownParts } from './aws-operations.ts';
import {
  documentedCommands,
  findRow,
  findTreatment,
  rehearsedCommands,
  TREATMENTS,
} from './documented-commands.ts';
import { codeBlocks, DOCUMENTS, namesInCell, readDocument, section } from './sections.ts';

describe('every npm command is in package.json:', () => {
  for (const file of DOCUMENTS)
    test(file, () => {
      const names = Array.from(
        readDocument(file).matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g),
        ([, name]) => name,
      );
      const unknown = names.filter((name) => name !== undefined && SCRIPTS[name] === undefined);
      assert.deepEqual(unknown, []);
    });
});

test('no documented command has a secret as an argument', () => {
  const texts = DOCUMENTS.map(readDocument).join('\n');
  const given = Array.from(
    texts.matchAll(/(?:--secret-string |MEDIA_GENERATION_UPSTREAM_SECRET=)(\S+)/g),
    ([, value = '']) => value,
  );
  assert.ok(given.length >= 8);
  assert.deepEqual(
    given.filter((value) => !/^(file:\/\/|"\$\(cat$)/.test(value)),
    [],
  );
});

test('docs/operate.md lists the calls of a restore', () => {
  const sources = ['restore', 'table-copies', 'recount'].map((name) =>
    readDocument(`lib/operator/${name}.ts`),
  );
  const calls = Array.from(sources.join('').matchAll(/new (\w+)Command\(/g), ([, name = '']) => name);
  const [, text = ''] = section(['docs/operate.md', '### Restore to a moment']).split(
    'Who runs the command needs',
  );
  const documented = namesInCell(text).map((name) => name.replace('dynamodb:', ''));
  assert.ok(calls.length >= 6);
  assert.deepEqual(
    calls.filter((name) => !documented.includes(name)),
    [],
  );
});

const commands = documentedCommands();

describe('every command of a shell block', () => {
  test('is typed by a test, or has a reason why not', () => {
    assert.ok(commands.length > 100);
    const left = commands.filter((command) => findTreatment(command) === undefined);
    assert.deepEqual(left, []);
  });

  test('of a deployment is typed by a rehearsal', () => {
    const typed = Object.values(REHEARSED).flatMap((place) => splitCommands(shellBlock(...place)));
    const left = rehearsedCommands().filter((command) => !typed.includes(command));
    assert.deepEqual(left, []);
  });

  test('with a superfluous reason is not in the table', () => {
    const used = new Set(commands.map(findRow));
    assert.deepEqual(
      TREATMENTS.filter((row) => !used.has(row)),
      [],
    );
  });

  test('that an example needs is in a section that these tests run', () => {
    const tests = ['examples', 'commands'].map((name) => readDocument(`test/docs/${name}.test.ts`)).join('');
    const places = commands.flatMap((command) => {
      const treatment = findTreatment(command);
      const isExample = treatment !== undefined && 'by' in treatment && treatment.by === 'examples.test.ts';
      return isExample
        ? [`['${command.document}', '${command.heading}'`, `['${command.document}', "${command.heading}"`]
        : [];
    });
    const sections = Map.groupBy(places, (place) => place.replaceAll('"', "'")).values();
    assert.deepEqual(
      [...sections].filter((spellings) => !spellings.some((place) => tests.includes(place))),
      [],
    );
  });
});

describe('every command of the AWS CLI has an operation and options that exist:', () => {
  for (const file of DOCUMENTS)
    test(file, async () => assert.deepEqual(await unknownParts(readDocument(file)), []));
});

test('every JSON example is valid', () => {
  const blocks = DOCUMENTS.flatMap((file) =>
    Array.from(readDocument(file).matchAll(/^ *```json\n(.*?)^ *```$/gms), ([, block = '']) => block),
  );
  assert.ok(blocks.length >= 10);
  for (const block of blocks) JSON.parse(block);
});

test('the import example names resources that are retained when the stack is deleted', async () => {
  const { Resources } = await sharedTemplate();
  const [mapping = ''] = codeBlocks(['docs/operate.md', '### Import of retained resources'], 'json');
  const ids = Object.keys(JSON.parse(mapping));
  assert.ok(ids.length >= 3);
  for (const id of ids) assert.match(Resources[id]?.DeletionPolicy ?? '', /^Retain/, id);
});

test('docs/deploy.md says what a removal retains', async () => {
  const { Resources } = await sharedTemplate();
  const retained = Object.values(Resources).filter(({ DeletionPolicy = '' }) =>
    /^Retain/.test(DeletionPolicy),
  );
  const words: Readonly<Record<string, string>> = {
    'AWS::DynamoDB::Table': 'tables',
    'AWS::S3::Bucket': 'bucket',
    'AWS::SecretsManager::Secret': 'secrets',
    'AWS::IAM::Role': 'ApiRestCloudWatchRole',
    'AWS::ApiGateway::Account': 'setting',
  };
  assert.deepEqual(new Set(retained.map(({ Type }) => Type)), new Set(Object.keys(words)));
  const text = section(['docs/deploy.md', '## Removal']);
  for (const word of Object.values(words)) assert.ok(text.includes(word), word);
});

test('the tables with expiring items are those of the template', async () => {
  const { Resources, Outputs } = await sharedTemplate();
  const expiring = Object.entries(Outputs).flatMap(([name, { Value }]) => {
    const { Ref: id = '' } = Object(Value);
    return Resources[id]?.Properties.TimeToLiveSpecification === undefined ? [] : [name];
  });
  const [text = ''] = readDocument('docs/operate.md').split('### Tables with expiring items\n').slice(1);
  const named = text.split('## ')[0]?.match(/\w+TableName/g) ?? [];
  // The last one exists only with several upstreams.
  assert.deepEqual(named.toSorted(), [...expiring, 'UpstreamTableName'].toSorted());
});

const isMissing = (tool: string): boolean => spawnSync('which', [tool]).status !== 0;

test('the commands that delete the data of an account empty all its lists', {
  skip: ['curl', 'jq'].some(isMissing) && 'curl or jq is not installed',
}, async () => {
  const shared = await openSharedService();
  const account = `deleted-${randomUUID()}`;
  const service = { ...shared, apiKey: await shared.issueKey(account) };
  const video = { prompt: 'a quiet harbour', createdAt: Date.now(), bytes: wholeMp4() };
  const TASK = await putVideo(service, account, video);
  await call(service, 'POST', '/v1/webhook_endpoints', {
    json: { name: 'one', url: 'https://hooks.example.com/', event_types: ['video.completed'] },
  });
  await call(service, 'POST', '/v1/files', {
    json: { filename: 'first.png', bytes: 100, mime_type: 'image/png', purpose: 'vision' },
  });
  const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: service.apiKey };
  const run = (script = '', more = {}) =>
    promisify(execFile)('bash', ['-e', '-c', script], { env: { ...env, ...more } });
  const [keeping] = codeBlocks(['docs/api.md', '## Library'], 'sh');
  assert.match((await run(keeping, { TASK })).stdout, /"name":"Paper boat, final cut"/);
  const [sharing] = codeBlocks(['docs/api.md', '## Share links'], 'sh');
  const { stdout } = await run(sharing, { TASK });
  assert.match(stdout, /"url":"http[^"]+\/s\/[0-9a-z]{42}"/);
  const lists = async (): Promise<readonly number[]> =>
    Promise.all(
      ['webhook_endpoints', 'shares', 'files', 'videos'].map(async (path) => {
        const { body } = await call(service, 'GET', `/v1/${path}`);
        return z.array(z.unknown()).parse(body.data).length;
      }),
    );
  assert.deepEqual(await lists(), [1, 1, 1, 1]);
  const [deleting] = codeBlocks(['docs/security.md', '## Data protection'], 'sh');
  await run(deleting);
  assert.deepEqual(await lists(), [0, 0, 0, 0]);
});
