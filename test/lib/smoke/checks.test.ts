/** Each check runs through a proxy in front of a service that works, which breaks one thing. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { consoleChecks } from '../../../lib/smoke/checks/console.ts';
import { uploadCheck } from '../../../lib/smoke/checks/files.ts';
import { NATIVE_IMAGE } from '../../../lib/smoke/checks/images.ts';
import {
  colonCheck,
  documentCheck,
  preflightCheck,
  queryKeyCheck,
  refusalChecks,
  refusedPreflight,
} from '../../../lib/smoke/checks/requests.ts';
import { webhookCheck } from '../../../lib/smoke/checks/webhooks.ts';
import type { Check } from '../../../lib/smoke/run-checks.ts';
import { call } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { startServer } from '../../support/server.ts';
import { at, checkThroughProxy, type Fault, type Seen } from './faulty-proxy.ts';

const service = await openSharedService();

const run = (check: Check, fault: Fault) => checkThroughProxy(service, check, fault);

const [consoleCheck, headCheck] = consoleChecks;
const [largeFormCheck] = refusalChecks;
const colonsCheck = colonCheck(NATIVE_IMAGE);
const originCheck = preflightCheck('http://127.0.0.1:8080');
if (!consoleCheck || !headCheck || !largeFormCheck) throw new Error('a check is missing');

const without = (name: string) => (seen: Seen) => {
  const headers = new Headers(seen.response.headers);
  headers.delete(name);
  const body = seen.body.length > 0 ? new Uint8Array(seen.body) : null;
  return new Response(body, { status: seen.response.status, headers });
};
const empty = () => new Response('', { headers: { 'content-type': 'application/octet-stream' } });
const json = (status: number, body: unknown) => () => Response.json(body, { status });

const openToAll = ({ request }: Seen) =>
  new Response(null, {
    status: 204,
    headers: { 'access-control-allow-origin': request.headers.origin ?? '' },
  });
/** A store that takes whatever it gets. */
const store = await startServer((request, response) => request.resume().once('end', () => response.end()));
after(store.close);
const toAnyLength = (address: string) => (seen: Seen) => {
  const { upload, ...file } = JSON.parse(seen.body.toString());
  return Response.json({ ...file, upload: { ...upload, url: address } });
};

const FAULTS: readonly (readonly [name: string, Check, Fault, RegExp])[] = [
  ['a root without a response', consoleCheck, at(/^GET \/prod\/$/, empty), /expected 302, saw 200/],
  [
    'a root without Location',
    consoleCheck,
    at(/^GET \/prod\/$/, without('location')),
    /a Location .*saw none/,
  ],
  [
    'a page without files',
    consoleCheck,
    at(/\/console$/, () => new Response('<p>', { headers: { 'content-type': 'text/html' } })),
    /a page that loads files/,
  ],
  ['a missing file', consoleCheck, at(/\/assets\//, json(404, {})), /expected 200, saw 404/],
  ['an empty file', consoleCheck, at(/\/assets\//, empty), /saw an empty body/],
  ['a HEAD without a response', headCheck, at(/^HEAD .*\/console$/, empty), /content type text\/html/],
  [
    'a HEAD that is refused',
    headCheck,
    at(/^HEAD .*\/v1\/models/, () => new Response(null, { status: 403 })),
    /expected 200, saw 403/,
  ],
  [
    'a HEAD without Location',
    headCheck,
    at(/^HEAD \/prod\/$/, without('location')),
    /location \/prod\/console\/ for HEAD \/, saw none/,
  ],
  ['a preflight that is refused', originCheck, at(/^OPTIONS/, json(403, {})), /expected 204, saw 403/],
  [
    'a preflight for another method',
    originCheck,
    at(/^OPTIONS/, openToAll),
    /access-control-allow-methods POST, saw none/,
  ],
  [
    'a call that no page may read',
    originCheck,
    at(/^GET/, without('access-control-allow-origin')),
    /access-control-allow-origin http.*saw none/,
  ],
  ['a preflight open to all', refusedPreflight, at(/^OPTIONS/, openToAll), /expected 404 not_found, saw 204/],
  [
    'a query that is dropped',
    queryKeyCheck,
    at(/v1beta\/models\?key=/, json(401, {})),
    /expected 200, saw 401/,
  ],
  [
    'a query key that opens other paths',
    queryKeyCheck,
    at(/\/v1\/videos\?key=/, json(200, {})),
    /expected 401 invalid_api_key, saw 200/,
  ],
  [
    'an encoded colon that is not read',
    colonsCheck,
    at(/%3A/, json(404, { error: { code: 404, status: 'NOT_FOUND', message: 'x' } })),
    /expected 400 INVALID_ARGUMENT, saw 404 NOT_FOUND/,
  ],
  [
    'a plain colon that is not read',
    colonsCheck,
    at(/image-preview:/, json(403, {})),
    /expected 400 INVALID_ARGUMENT, saw 403/,
  ],
  [
    'an encoded colon read as another model',
    colonsCheck,
    at(/%3A/, json(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'x' } })),
    /the same error for both/,
  ],
  [
    'a document without images',
    documentCheck,
    at(/openapi\.json/, ({ body }) => {
      const { paths, ...document } = JSON.parse(body.toString());
      const { '/v1/chat/completions': _images, ...others } = paths;
      return Response.json({ ...document, paths: others });
    }),
    /every route in paths, saw none of \/v1\/chat\/completions/,
  ],
  [
    'an upload without an address',
    uploadCheck,
    at(/^POST \S+\/v1\/files/, toAnyLength('')),
    /an address in upload\.url, saw ""/,
  ],
  [
    'an upload that takes any length',
    uploadCheck,
    at(/^POST \S+\/v1\/files/, toAnyLength(store.url)),
    /expected 403, saw 200/,
  ],
  [
    'an upload that is not noticed',
    uploadCheck,
    at(/^GET \S+\/v1\/files/, json(200, { status: 'uploaded' })),
    /status processed, saw uploaded/,
  ],
  ['a file that stays', uploadCheck, at(/^DELETE/, json(500, {})), /expected 200, saw 500/],
  [
    'an event that does not leave',
    webhookCheck,
    at(/\/test$/, json(400, { error: { code: 'webhook_unreachable', message: 'x' } })),
    /expected 200, saw 400 webhook_unreachable/,
  ],
  [
    'an event with another answer',
    webhookCheck,
    at(/\/test$/, json(200, { status_code: 403 })),
    /status_code 404 .*saw 403/,
  ],
];

describe('a check of the smoke test', () => {
  const checks = [
    ...consoleChecks,
    refusedPreflight,
    queryKeyCheck,
    colonsCheck,
    documentCheck,
    originCheck,
    uploadCheck,
    webhookCheck,
  ];
  for (const check of checks)
    test(`passes through a proxy that breaks nothing: ${check.name}`, async () => {
      assert.match((await run(check, () => undefined)).line, /^ok /);
    });

  for (const [name, check, fault, seen] of FAULTS)
    test(`notices ${name}`, async () => {
      const { passed, line } = await run(check, fault);
      assert.equal(passed, false);
      assert.match(line, /^FAILED /);
      assert.match(line, seen);
    });
});

describe('the check of a large form', () => {
  const answerWith = (response: () => Response) =>
    run(largeFormCheck, at(/^POST \S+\/v1\/videos$/, response));

  for (const [name, response] of [
    ['of Lambda’s limit', json(413, { message: 'Request Too Long' })],
    ['of its own limit', () => new Response('HTTP content length exceeded 10485760 bytes.', { status: 413 })],
  ] as const)
    test(`accepts the bare 413 ${name}, with a note`, async () => {
      const { passed, line } = await answerWith(response);
      assert.equal(passed, true);
      assert.match(line, /^ok .* s {2}API Gateway's own 413, without an error of the API$/);
    });

  for (const [name, response] of [
    ['another code', json(413, { error: { code: 'invalid_request', message: 'x' } })],
    ['another status', json(400, { message: 'Request Too Long' })],
  ] as const)
    test(`notices ${name}`, async () => {
      const { passed, line } = await answerWith(response);
      assert.equal(passed, false);
      assert.match(line, /^FAILED .*expected 413 request_too_large, saw 4/);
    });
});

describe('the check of webhooks', () => {
  /** Changes the first of these responses. */
  const once = (pattern: RegExp, response: () => Response): Fault => {
    let isOver = false;
    return at(pattern, () => {
      if (isOver) return undefined;
      isOver = true;
      return response();
    });
  };
  const throttled = () => new Response('{}', { status: 503, headers: { 'x-amz-apigw-id': 'abc=' } });

  test('leaves no endpoint behind, although its creation runs twice', async () => {
    const { line } = await run(webhookCheck, once(/^POST \S+\/v1\/webhook_endpoints$/, throttled));
    assert.match(line, /^ok /);
    assert.deepEqual((await call(service, 'GET', '/v1/webhook_endpoints')).body.data, []);
  });

  test('sends its event again if the function of the receiver was throttled', async () => {
    const { line } = await run(
      webhookCheck,
      once(/\/test$/, () => Response.json({ status_code: 502 })),
    );
    assert.match(line, /^ok /);
  });
});
