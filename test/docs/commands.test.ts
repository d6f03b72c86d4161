import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import * as z from 'zod';
import { sharedTemplate } from '../lib/stack/synthesized-template.ts';
import { call } from '../support/http.ts';
import { putVideo } from '../support/library-items.ts';
import { openSharedService } from '../support/open-service.ts';
import { wholeMp4 } from '../support/sample-video.ts';
import { codeBlocks, DOCUMENTS, readDocument } from './sections.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readDocument('package.json')));

describe('every npm command is in package.json:', () => {
  for (const file of DOCUMENTS)
    test(file, () => {
      const names = Array.from(
        readDocument(file).matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g),
        ([, name]) => name,
      );
      const unknown = names.filter((name) => name !== undefined && scripts[name] === undefined);
      assert.deepEqual(unknown, []);
    });
});

test('docs/deploy.md contains valid JSON examples', () => {
  const blocks = codeBlocks(['docs/deploy.md', '# Deployment and configuration'], 'json');
  assert.ok(blocks.length >= 2);
  for (const block of blocks) JSON.parse(block);
});

test('the import example names resources that are retained when the stack is deleted', async () => {
  const { Resources } = await sharedTemplate();
  const [mapping = ''] = codeBlocks(['docs/deploy.md', '### Import of retained resources'], 'json');
  const ids = Object.keys(JSON.parse(mapping));
  assert.ok(ids.length >= 3);
  for (const id of ids) assert.match(Resources[id]?.DeletionPolicy ?? '', /^Retain/, id);
});

test('the tables with expiring items are those of the template', async () => {
  const { Resources, Outputs } = await sharedTemplate();
  const expiring = Object.entries(Outputs).flatMap(([name, { Value }]) => {
    const { Ref: id = '' } = Object(Value);
    return Resources[id]?.Properties.TimeToLiveSpecification === undefined ? [] : [name];
  });
  const [text = ''] = readDocument('docs/deploy.md').split('### Tables with expiring items\n').slice(1);
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
  const [deleting] = codeBlocks(['docs/deploy.md', '## Data protection'], 'sh');
  await run(deleting);
  assert.deepEqual(await lists(), [0, 0, 0, 0]);
});
