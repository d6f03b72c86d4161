import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../functions/catalogue/domain/models.ts';
import { servedRoutes } from '../../../functions/identity/api/declare-endpoint.ts';
import { isAtLeast, ROLES } from '../../../functions/identity/domain/roles.ts';
import { NOT_OFFERED_ENDPOINTS, SERVED_ENDPOINTS } from '../../../functions/openapi/api/endpoints.ts';
import { HOME } from '../../../lib/local/emulators/start.ts';
import { readApi } from '../../../lib/local/gateway/api-definition.ts';
import { createStack } from '../../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../../lib/local/template/template.ts';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { gatewayEvent } from '../../support/functions-in-process.ts';
import { call, createVideo, HELD_BACK } from '../../support/http.ts';
import { JPEG } from '../../support/images.ts';
import { FROM_PAGE, signIn, signInPerson } from '../../support/sessions.ts';
import { putFile } from '../../support/stored-files.ts';
import { answer, service } from './service.ts';

/** Every route × every role × the own and another account, as the table of required roles says. */

const stack = { clientConfig: service.operator, outputs: service.outputs };
const [account, foreign] = [`matrix-${randomUUID()}`, `foreign-${randomUUID()}`];

/** These need neither a key nor a session. */
const PUBLIC_ROUTES: readonly string[] = [
  'GET /',
  'GET /console',
  'GET /console/{path+}',
  'DELETE /mcp',
  'GET /mcp',
  'GET /openapi.json',
  'GET /s/{token}',
  'GET /s/{token}/content',
  'GET /v1/console/sign_in',
  'GET /v1/console/sign_in/callback',
  'GET /v1/console/sign_in/start',
  'POST /v1/console/sessions',
];

type Route = { readonly method: string; readonly path: string; readonly functionId: string };
const nameRoute = ({ method, path }: Route): string => `${method} ${path}`;

const { template } = await readSynthesizedStack(service.files);
const { routes } = readApi(createStack(template, { ...HOME, stackName: 'MediaGeneration' }));
const offered: readonly Route[] = routes
  .map(({ method, resourcePath, functionId }) => ({ method, path: resourcePath, functionId }))
  // A HEAD request runs the function of the GET request; answers to unknown routes need no key.
  .filter(({ method }) => method !== 'HEAD' && method !== 'ANY');
const closed = offered.filter((route) => !PUBLIC_ROUTES.includes(nameRoute(route)));

/** Who calls, and how. */
type Caller = { readonly headers: Record<string, string>; readonly key: string };
const callers = new Map<string, Caller>();

/** Ids of the other account, by the name of the path parameter. */
const foreignIds: Record<string, string> = {};

/** Values that lead to nothing, but to the account itself where an account is named. */
const OWN_IDS: Readonly<Record<string, string>> = {
  project_id: account,
  service_account_id: account,
  user_id: `user_${'0'.repeat(32)}`,
  session_id: `sess_${'0'.repeat(32)}`,
  invite_id: `invite_${'0'.repeat(32)}`,
  key_id: 'key_0000000000000000',
  task_id: `task_${'0'.repeat(32)}`,
  model: IMAGE_MODEL,
  modelAction: `${IMAGE_MODEL}:generateContent`,
  index: '0',
};

type Ids = Readonly<Record<string, string>>;

const PARAMETER = /\{(\w+)\+?\}/g;

const valueFor = (name: string, ids: Ids): string => ids[name] ?? OWN_IDS[name] ?? 'unknown';

/** A list is no valid body of any request, so nothing is created. */
const bodyFor = (method: string): string | undefined => (method === 'POST' ? '[]' : undefined);

/** The gateway takes no part in this decision, and a process for each function would take most of the time. */
const send = async (name: string, { method, path, functionId }: Route, ids: Ids = {}): Promise<number> => {
  const { headers, key } = callers.get(name) ?? assert.fail(name);
  const event = gatewayEvent({
    method,
    path: Object.fromEntries(
      Array.from(path.matchAll(PARAMETER), ([, parameter = '']) => [parameter, valueFor(parameter, ids)]),
    ),
    headers: {
      'Content-Type': 'application/json',
      // The name of the session cookie contains the port.
      Host: new URL(service.baseUrl).host,
      'X-Forwarded-Proto': 'http',
      ...headers,
      ...(key === '' ? {} : { Authorization: `Bearer ${key}` }),
    },
    body: bodyFor(method),
  });
  const { statusCode } = await answer(functionId, { ...event, resource: path });
  return statusCode;
};

/** The role that a route needs; `public` if it needs neither a key nor a session. */
const neededRole = ({ method, path }: Route) =>
  [...SERVED_ENDPOINTS, ...NOT_OFFERED_ENDPOINTS].find(
    (each) => each.method === method && (servedRoutes(each).includes(path) || isVideoModel(each.path, path)),
  )?.role;

/** Each video model has a route of its own for this endpoint. */
const isVideoModel = (declared: string, path: string): boolean =>
  declared.endsWith(':predictLongRunning') && path.endsWith(':predictLongRunning');

/** Admin keys manage the account, plain keys do everything else. */
const takesAdminKeys = ({ path }: Route): boolean => /^\/v1\/(?:organization|console)\//.test(path);

/** These are about the session of the request, which a key does not have. */
const needsSession = ({ path }: Route): boolean => /^\/v1\/console\/session(?:\/|$)/.test(path);

/** Agents send a key in a header; a page of another site could use the cookie of a session. */
const needsKey = ({ path }: Route): boolean => path === '/mcp';

/** Whether a caller may use a route at all. */
const isAllowed = (name: string, route: Route): boolean => {
  if (!name.endsWith(' key') && needsKey(route)) return false;
  if (name.endsWith(' key') && needsSession(route)) return false;
  if (name === 'plain key') return !takesAdminKeys(route);
  if (name === 'admin key') return takesAdminKeys(route);
  const role = ROLES.find((each) => each === name) ?? 'admin';
  const needed = neededRole(route);
  return needed !== undefined && needed !== 'public' && isAtLeast(role, needed);
};

/** Runs the cells of the matrix and reports those that differ. */
const differences = async (
  routes: readonly Route[],
  names: readonly string[],
  explain: (name: string, route: Route) => Promise<string | undefined>,
): Promise<string[]> => {
  const told: string[] = [];
  for (const route of routes)
    for (const name of names) {
      const difference = await explain(name, route);
      if (difference !== undefined) told.push(`${nameRoute(route)} as ${name}: ${difference}`);
    }
  return told;
};

const CALLERS = [...ROLES, 'session without a person', 'plain key', 'admin key'];

test('every route is declared with its role', () => {
  assert.deepEqual(closed.filter((route) => (neededRole(route) ?? 'public') === 'public').map(nameRoute), []);
});

describe('a caller', () => {
  before(async () => {
    for (const role of ROLES) {
      const { cookie } = await signInPerson(service, account, role);
      callers.set(role, { headers: { ...FROM_PAGE, cookie }, key: '' });
    }
    const { cookie } = await signIn(service, account);
    callers.set('session without a person', { headers: { ...FROM_PAGE, cookie }, key: '' });
    for (const kind of ['plain', 'admin'] as const)
      callers.set(`${kind} key`, {
        headers: {},
        key: await issueApiKey(stack, { account, name: kind, kind }),
      });

    const theirs = await signInPerson(service, foreign, 'admin');
    const apiKey = await issueApiKey(stack, { account: foreign, name: 'theirs' });
    const make = async (path: string, json: object): Promise<string> =>
      String((await theirs.call('POST', path, json)).body.id);
    const task = await createVideo({ ...service, apiKey }, HELD_BACK);
    Object.assign(foreignIds, {
      project_id: foreign,
      service_account_id: foreign,
      user_id: theirs.person.id,
      session_id: theirs.id,
      key_id: await make(`/v1/organization/projects/${foreign}/api_keys`, { name: 'theirs' }),
      invite_id: await make('/v1/organization/invites', { role: 'viewer' }),
      webhook_endpoint_id: await make('/v1/webhook_endpoints', {
        name: 'theirs',
        url: 'http://127.0.0.1:9/hook',
        event_types: ['video.completed'],
      }),
      task_id: task,
      operation: task.replace('task_', ''),
      file_id: await putFile(service, foreign, JPEG),
    });
  });

  describe('in the own account', () => {
    test('each caller reaches the routes of the table, and no others', async () => {
      const found = await differences(closed, CALLERS, async (name, route) => {
        const status = await send(name, route);
        const refused =
          status === 403 ||
          // The body may be refused before the missing session is.
          (name === 'admin key' && needsSession(route) && status === 400) ||
          (status === 401 && needsKey(route));
        const fits = isAllowed(name, route) ? status < 500 && status !== 401 && status !== 403 : refused;
        return fits ? undefined : `${status}, ${isAllowed(name, route) ? 'although allowed' : 'not 403'}`;
      });
      assert.deepEqual(found, []);
    });

    test('nobody reaches a route without a key or a session, unless it is public', async () => {
      const found = await differences(closed, ['nobody'], async (_, { method, path }) => {
        const at = path.replace(PARAMETER, (_parameter, name: string) => valueFor(name, {}));
        const body = bodyFor(method);
        const { status } = await call({ ...service, apiKey: '' }, method, at, {
          ...(body === undefined ? {} : { body }),
        });
        return status === 401 ? undefined : `${status}, not 401`;
      });
      assert.deepEqual(found, []);
    });
  });

  describe('in another account', () => {
    const ids = (path: string): string[] =>
      Array.from(path.matchAll(PARAMETER), ([, name = '']) => name).filter((name) => name in foreignIds);

    /** A request with an invalid body may be refused before the item is looked up. */
    const explain = async (name: string, route: Route, given: Record<string, string>) => {
      const status = await send(name, route, given);
      const hidden = status === 404 || (route.method === 'POST' && status === 400);
      const fits = isAllowed(name, route) ? hidden : status === 403;
      return fits ? undefined : `${status}, ${isAllowed(name, route) ? 'not 404' : 'not 403'}`;
    };

    test('no caller finds anything', async () => {
      const routes = closed.filter(({ path }) => ids(path).length > 0);
      assert.ok(routes.length > 20);
      assert.deepEqual(
        await differences(routes, CALLERS, (name, route) => explain(name, route, foreignIds)),
        [],
      );
    });

    test('no caller finds its items under the own project', async () => {
      const routes = closed.filter(({ path }) => path.includes('{project_id}') && ids(path).length > 1);
      assert.ok(routes.length > 4);
      assert.deepEqual(
        await differences(routes, CALLERS, (name, route) =>
          explain(name, route, { ...foreignIds, project_id: account }),
        ),
        [],
      );
    });
  });
});
