/** Each check runs through a proxy in front of a service that works, which breaks one thing. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { connect } from '../../../lib/smoke/api.ts';
import { consoleChecks } from '../../../lib/smoke/checks/console.ts';
import { uploadCheck } from '../../../lib/smoke/checks/files.ts';
import { preflightCheck, requestChecks } from '../../../lib/smoke/checks/requests.ts';
import { webhookCheck } from '../../../lib/smoke/checks/webhooks.ts';
import { type Check, runChecks } from '../../../lib/smoke/run-checks.ts';
import { trackTasks } from '../../../lib/smoke/tasks.ts';
import { openSharedService } from '../../support/open-service.ts';
import { startServer } from '../../support/server.ts';

const service = await openSharedService();

type Seen = { readonly request: IncomingMessage; readonly response: Response; readonly body: Buffer };
/** Another response for some requests; undefined leaves the service's own. */
type Fault = (seen: Seen) => Response | undefined;

const requestHeaders = ({ headers }: IncomingMessage): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));

const forward = async (request: IncomingMessage): Promise<Response> => {
  const headers = requestHeaders(request);
  for (const name of ['connection', 'transfer-encoding', 'content-length']) headers.delete(name);
  const { method = 'GET', url = '' } = request;
  const sent = await buffer(request);
  const body = sent.length > 0 ? { body: new Uint8Array(sent) } : {};
  return fetch(new URL(url, service.baseUrl), { method, headers, redirect: 'manual', ...body });
};

const startProxy = (fault: Fault) =>
  startServer(async (request, outgoing) => {
    const response = await forward(request);
    const body = Buffer.from(await response.arrayBuffer());
    const faulty = fault({ request, response, body });
    const sent = faulty ?? response;
    const headers = new Headers(sent.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
      headers.delete(name);
    outgoing.writeHead(sent.status, Object.fromEntries(headers));
    outgoing.end(faulty === undefined ? body : Buffer.from(await faulty.arrayBuffer()));
  });

const run = async (check: Check, fault: Fault) => {
  const proxy = await startProxy(fault);
  const { pathname } = new URL(service.baseUrl);
  const api = connect(
    { baseUrl: `${proxy.url}${pathname}`, apiKey: service.apiKey },
    new AbortController().signal,
  );
  const printed: string[] = [];
  const plan = { series: [[check]], skipped: [] };
  const passed = await runChecks(plan, { api, tasks: trackTasks(api) }, (line) => printed.push(line));
  await proxy.close();
  return { passed, line: printed[0] ?? '' };
};

const [consoleCheck, headCheck] = consoleChecks;
const [strangerCheck, queryKeyCheck, colonCheck] = requestChecks;
const originCheck = preflightCheck('http://127.0.0.1:8080');
if (!consoleCheck || !headCheck || !strangerCheck || !queryKeyCheck || !colonCheck)
  throw new Error('a check is missing');

/** A fault for requests whose method and address match. */
const at =
  (pattern: RegExp, change: (seen: Seen) => Response): Fault =>
  (seen) =>
    pattern.test(`${seen.request.method} ${seen.request.url}`) ? change(seen) : undefined;
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
  ['a preflight open to all', strangerCheck, at(/^OPTIONS/, openToAll), /expected 404 not_found, saw 204/],
  [
    'a query that is dropped',
    queryKeyCheck,
    at(/v1beta\/models\?key=/, json(401, {})),
    /expected 200, saw 401/,
  ],
  [
    'a query key that opens /v1',
    queryKeyCheck,
    at(/\/v1\/models\?key=/, json(200, {})),
    /expected 401 invalid_api_key, saw 200/,
  ],
  [
    'an encoded colon that is not read',
    colonCheck,
    at(/%3A/, json(404, { error: { code: 404, status: 'NOT_FOUND', message: 'x' } })),
    /expected 400 INVALID_ARGUMENT, saw 404 NOT_FOUND/,
  ],
  [
    'a plain colon that is not read',
    colonCheck,
    at(/image-preview:/, json(403, {})),
    /expected 400 INVALID_ARGUMENT, saw 403/,
  ],
  [
    'an encoded colon read as another model',
    colonCheck,
    at(/%3A/, json(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'x' } })),
    /the same error for both/,
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
  const checks = [...consoleChecks, ...requestChecks, originCheck, uploadCheck, webhookCheck];
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
