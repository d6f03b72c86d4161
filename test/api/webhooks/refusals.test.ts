import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { call, readError, readId } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const ENDPOINTS = '/v1/webhook_endpoints';
const NEW = { name: 'Hook', url: 'https://hooks.example.com/v', event_types: ['video.completed'] };
const made = readId(await call(service, 'POST', ENDPOINTS, { json: NEW }));

type Refusal = readonly [param: string, change: Readonly<Record<string, unknown>>, message: RegExp];

/** Of a field that is there: an update refuses what a create refuses. */
const WRONG: readonly Refusal[] = [
  ['name', { name: '' }, /1 to 100 characters/],
  ['name', { name: '  ' }, /1 to 100 characters/],
  ['name', { name: 7 }, /must be a string/],
  ['name', { name: null }, /must be a string/],
  ['name', { name: 'x'.repeat(101) }, /longer than 100 characters/],
  ['name', { name: 'a\r\nb' }, /control character/],
  ['name', { name: '\ud800' }, /Unicode/],
  ['url', { url: '' }, /https:\/\//],
  ['url', { url: 7 }, /must be a string/],
  ['url', { url: ['https://hooks.example.com'] }, /must be a string/],
  ['url', { url: 'hooks.example.com' }, /https:\/\//],
  ['url', { url: 'http://hooks.example.com' }, /https:\/\//],
  ['url', { url: 'ftp://hooks.example.com' }, /https:\/\//],
  ['url', { url: 'https://10.0.0.1/' }, /private/],
  ['url', { url: 'https://169.254.169.254/latest/meta-data' }, /private/],
  ['url', { url: 'https://[fd00::1]/' }, /private/],
  ['url', { url: 'https://intranet/' }, /public host name/],
  ['url', { url: 'https://user:password@hooks.example.com/' }, /user name/],
  ['url', { url: 'https://hooks.example.com/#here' }, /fragment/],
  ['url', { url: `https://hooks.example.com/${'x'.repeat(2048)}` }, /at most 2048 characters/],
  ['event_types', { event_types: [] }, /at least one/],
  ['event_types', { event_types: 'video.completed' }, /list/],
  ['event_types', { event_types: null }, /list/],
  ['event_types', { event_types: ['video.failed', 'video.failed'] }, /twice/],
  [
    'event_types[0]',
    { event_types: ['batch.completed'] },
    /one of video\.completed, video\.failed, budget\.threshold_reached\./,
  ],
  [
    'event_types[1]',
    { event_types: ['video.failed', 7] },
    /one of video\.completed, video\.failed, budget\.threshold_reached\./,
  ],
];
const MISSING: readonly Refusal[] = ['name', 'url', 'event_types'].map((field) => [
  field,
  { [field]: undefined },
  /required|at least one/,
]);

const refused = async (path: string, json: unknown, param: string, message: RegExp): Promise<void> => {
  const answer = await call(service, 'POST', path, { json });
  const error = readError(answer);
  assert.deepEqual([answer.status, error.code, error.param], [400, 'invalid_request', param]);
  assert.ok(error.message.startsWith(`${param} `), error.message);
  assert.match(error.message, message);
};

describe('a new endpoint is refused with', () => {
  for (const [param, change, message] of [...WRONG, ...MISSING])
    test(`a wrong ${param}: ${JSON.stringify(change).slice(0, 60)}`, () =>
      refused(ENDPOINTS, { ...NEW, ...change }, param, message));
});

describe('a change is refused with', () => {
  for (const [param, change, message] of WRONG)
    test(`a wrong ${param}: ${JSON.stringify(change).slice(0, 60)}`, () =>
      refused(`${ENDPOINTS}/${made}`, change, param, message));
});

test('a rotation takes true or false', async () => {
  const field = 'keep_old_secret_active_for_24_hours';
  for (const value of ['true', 1, null, {}])
    await refused(`${ENDPOINTS}/${made}/rotate_secret`, { [field]: value }, field, /must be true or false/);
});

test('what was refused has changed nothing', async () => {
  const { body } = await call(service, 'GET', ENDPOINTS);
  assert.deepEqual(
    Array.from(Object(body.data), ({ id, name, url, event_types }) => ({ id, name, url, event_types })),
    [{ id: made, ...NEW }],
  );
});

test('a body that is not JSON is refused', async () => {
  for (const [path, type, body, status] of [
    [ENDPOINTS, 'text/plain', '{}', 415],
    [ENDPOINTS, 'application/json', '', 400],
    [ENDPOINTS, 'application/json', '[]', 400],
    [`${ENDPOINTS}/${made}`, 'text/plain', '{}', 415],
    [`${ENDPOINTS}/${made}`, 'application/json', '{', 400],
    [`${ENDPOINTS}/${made}/rotate_secret`, 'application/json', '"x"', 400],
  ] as const) {
    const answer = await call(service, 'POST', path, { headers: { 'content-type': type }, body });
    assert.equal(answer.status, status, `${path} ${body}`);
    readError(answer);
  }
});

test('pages take a limit from 1 to 100, and go on after an id of their kind', async () => {
  const deliveries = `${ENDPOINTS}/${made}/deliveries`;
  for (const path of [ENDPOINTS, deliveries])
    for (const [query, param] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=x', 'limit'],
      ['after=x', 'after'],
      [`after=task_${'0'.repeat(26)}`, 'after'],
      [path === ENDPOINTS ? `after=wd_${'0'.repeat(26)}` : `after=we_${'0'.repeat(26)}`, 'after'],
    ]) {
      const answer = await call(service, 'GET', `${path}?${query}`);
      assert.deepEqual([answer.status, readError(answer).param], [400, param], query);
    }
});

test('webhooks take a plain key', async () => {
  const store = { clientConfig: service.operator, outputs: service.outputs };
  const admin = await issueApiKey(store, { account: 'admin', name: 'admin', kind: 'admin' });
  for (const [key, status] of [
    [admin, 403],
    ['', 401],
  ] as const)
    for (const path of [ENDPOINTS, `${ENDPOINTS}/${made}`, '/v1/webhook_event_types'])
      assert.equal((await call(service, 'GET', path, { key })).status, status);
});
