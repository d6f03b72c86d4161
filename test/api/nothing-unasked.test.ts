import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { SPELLINGS } from '../../functions/videos/api/video-field-names.ts';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { type Answer, call, HELD_BACK, MODEL, readError, readId, waitFor } from '../support/http.ts';
import { IMAGE_MODEL } from '../support/images/pictures.ts';
import {
  CHAT,
  chatBody,
  EDITS,
  editBody,
  GENERATIONS,
  generationBody,
  NATIVE,
} from '../support/images/requests.ts';
import { dataUri, PNG } from '../support/images.ts';
import { longOr } from '../support/long-tests.ts';
import { openSharedService } from '../support/open-service.ts';
import { IMAGE_PLACES, PLAIN_VIDEO, REFUSED_NAMES } from '../support/other-field-names.ts';
import { until } from '../support/until.ts';

const service = await openSharedService();
const store = { clientConfig: service.operator, outputs: service.outputs };
const account = `asked-${randomUUID()}`;
const apiKey = await issueApiKey(store, { account, name: 'test' });
const adminKey = await issueApiKey(store, { account, name: 'billing', kind: 'admin' });
const access = { baseUrl: service.baseUrl, apiKey };

const URI = dataUri(PNG, 'image/png');
const post = (path: string, json: unknown): Promise<Answer> => call(access, 'POST', path, { json });

/** A few of the names: a unit test sends all of them to the same reader. */
const SOME_NAMES = REFUSED_NAMES.map(([name]) => name).filter(
  (_, position) => position % longOr(12, 1) === 0,
);
const PLACES = Object.entries(IMAGE_PLACES).map(([place, send]) => ['/v1/videos', place, send] as const);
const GENERATIONS_FORMAT = ['/v1/video/generations', 'at top level', IMAGE_PLACES['at top level']] as const;

describe('a field of another service is refused by its name', () => {
  for (const [path, place, send = assert.fail] of [...PLACES, GENERATIONS_FORMAT])
    test(`${path}, ${place}: ${SOME_NAMES.join(', ')}`, async () => {
      for (const name of SOME_NAMES) {
        const answer = await call(access, 'POST', path, send(name));
        assert.equal(answer.status, 400, `${name} ${JSON.stringify(answer.body)}`);
        const { code, param } = readError(answer);
        assert.equal(code, 'unknown_parameter', name);
        assert.match(param ?? '', new RegExp(`^(metadata\\.)?${name}$`));
      }
    });

  const nativeVideo = `/v1beta/models/${MODEL}:predictLongRunning`;
  const OTHERS: readonly (readonly [path: string, body: (fields: object) => object])[] = [
    [nativeVideo, (fields) => ({ instances: [{ prompt: 'a fox', ...fields }] })],
    [nativeVideo, (fields) => ({ instances: [{ prompt: 'a fox' }], parameters: fields })],
    [NATIVE, (fields) => ({ contents: [{ parts: [{ text: 'a fox' }] }], ...fields })],
    [NATIVE, (fields) => ({ contents: [{ parts: [{ text: 'a fox' }] }], generationConfig: fields })],
    [NATIVE, (fields) => ({ contents: [{ parts: [{ text: 'a fox', ...fields }] }] })],
    [CHAT, (fields) => ({ ...chatBody('a fox'), ...fields })],
    [CHAT, (fields) => ({ ...chatBody('a fox'), messages: [{ role: 'user', content: 'a fox', ...fields }] })],
    [GENERATIONS, (fields) => ({ ...generationBody('a fox'), ...fields })],
    [EDITS, (fields) => ({ ...editBody('a fox'), ...fields })],
  ];
  const NAMES = [
    'image_urls',
    'input_images',
    'init_image',
    'reference_image_urls',
    'start_image',
    'pictures',
  ];
  for (const [position, [path, body]] of OTHERS.entries())
    test(`${path}, place ${position}`, async () => {
      for (const name of NAMES) {
        const { status, body: answer } = await post(path, body({ [name]: [URI] }));
        assert.equal(status, 400, name);
        assert.match(JSON.stringify(answer), new RegExp(`${name} is not an accepted field`));
      }
    });
});

describe('a background request of a chat application buys no image', () => {
  const messages = [{ role: 'user', content: 'Give this chat a title.' }];
  const REQUESTS: readonly (readonly [path: string, body: object])[] = [
    [CHAT, { messages, stream: false, max_tokens: 1000 }],
    [CHAT, { messages, stream: true, max_completion_tokens: 500 }],
    [CHAT, { messages, response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } }],
    [
      CHAT,
      { messages, tools: [{ type: 'function', function: { name: 'extract' } }], tool_choice: 'required' },
    ],
    [NATIVE, { contents: [{ parts: [{ text: 'ping' }] }], generationConfig: { maxOutputTokens: 20 } }],
    [
      NATIVE,
      {
        contents: [{ parts: [{ text: 'ping' }] }],
        generationConfig: { responseMimeType: 'application/json' },
      },
    ],
  ];
  for (const [path, body] of REQUESTS)
    test(JSON.stringify(body).slice(0, 100), async () => {
      const { status, body: answer } = await post(
        path,
        path === CHAT ? { model: IMAGE_MODEL, ...body } : body,
      );
      assert.equal(status, 400);
      assert.match(JSON.stringify(answer), /text model/);
    });
});

test('only what was asked for is made and charged', async () => {
  const before = await call(access, 'GET', '/v1/videos');
  assert.deepEqual(before.body.data, []);
  const names = [...SPELLINGS.input_reference.slice(0, 3), ...SPELLINGS.reference_images.slice(0, 2)];
  const waiting = { ...PLAIN_VIDEO, seconds: 8, prompt: HELD_BACK };
  for (const name of names) assert.equal((await post('/v1/videos', { ...waiting, [name]: URI })).status, 200);
  const asked = readId(
    await post('/v1/video/generations', { ...PLAIN_VIDEO, metadata: { start_image: URI } }),
  );
  assert.equal((await waitFor(access, asked)).body.status, 'completed');

  const { body } = await call(access, 'GET', '/v1/videos?limit=100&include[]=request');
  const tasks: readonly { request: { mode: string } }[] = [...Object(body.data)];
  assert.equal(tasks.length, names.length + 1);
  assert.deepEqual(new Set(tasks.map(({ request }) => request.mode)), new Set(['first_frame', 'references']));

  const readCharges = async (): Promise<readonly { task_id: string; quantity: number }[]> => [
    ...Object((await call(access, 'GET', '/v1/organization/charges', { key: adminKey })).body.data),
  ];
  await until(async () => (await readCharges()).length > 0);
  assert.deepEqual(
    (await readCharges()).map(({ task_id, quantity }) => [task_id, quantity]),
    [[asked, 4]],
  );
});
