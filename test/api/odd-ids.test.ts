import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { at, DOCUMENT, isNode, type Node } from '../functions/openapi/support/document.ts';
import { readId } from '../support/http.ts';
import { longOr } from '../support/long-tests.ts';
import { openSharedService } from '../support/open-service.ts';
import { FROM_PAGE, signInPerson } from '../support/sessions.ts';

/** Sends odd ids to every place of the API that takes one: none is a fault of the service. */

const service = await openSharedService();
const account = `odd-${randomUUID()}`;
const { cookie, person, call } = await signInPerson(service, account, 'admin');
const hex = '0'.repeat(32);
// Members, invitations and lists of keys are in one table.
const invitation = readId(await call('POST', '/v1/organization/invites', { role: 'viewer' }));
readId(await call('POST', `/v1/organization/projects/${account}/api_keys`, { name: 'mine' }));

const ODD_IDS = [
  '',
  'x'.repeat(3000),
  person.id,
  invitation,
  `keys_${person.id}`,
  `count#${account}`,
  `task_0${hex.slice(7)}`,
  '__proto__',
  '\0',
  'a/../b',
];

/** All endpoints read ids with the same few schemas, so places take turns with the ids; with LONG_TESTS, each gets all. */
const idsFor = (place: number): readonly string[] =>
  longOr(
    ODD_IDS.filter((_, index) => (index + place) % 3 === 0),
    ODD_IDS,
  );

type Parameter = { readonly name: string; readonly in: string };
const isParameter = (value: unknown): value is Parameter =>
  isNode(value) && typeof value.name === 'string' && typeof value.in === 'string';

const ID_NAME = /(?:(?:^|_)ids?(?:\[\])?|^after|^before|^page|^pageToken|^invitation|^token)$/;

type Place = { readonly name: string; send(id: string): Promise<Response> };

const request = (method: string, path: string, json?: Node): Promise<Response> =>
  fetch(`${service.baseUrl}${path}`, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...FROM_PAGE,
      cookie,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });

/** Query and body are well-formed Unicode, as `fetch` requires; a path part is never empty. */
const toPart = (id: string): string => encodeURIComponent(id.toWellFormed() || ' ');

const places = (path: string, method: string): Place[] => {
  const operation = ['paths', path, method];
  const listed = [at('paths', path, 'parameters'), at(...operation, 'parameters')].flat();
  const parameters = listed
    .map((each) =>
      isNode(each) && typeof each.$ref === 'string' ? at(...each.$ref.slice(2).split('/')) : each,
    )
    .filter(isParameter);
  const filled = (name?: string, id = ''): string =>
    path.replaceAll(/\{([^}]+?)\+?\}/g, (_, part: string) =>
      part === name ? toPart(id) : part === 'project_id' || part === 'service_account_id' ? account : 'x',
    );
  const inPath = Array.from(path.matchAll(/\{([^}]+?)\+?\}/g), ([, name = '']) => ({
    name: `${method} ${path}: ${name}`,
    send: (id: string) => request(method, filled(name, id)),
  }));
  const inQuery = parameters
    .filter((parameter) => parameter.in === 'query' && ID_NAME.test(parameter.name))
    .map(({ name }) => ({
      name: `${method} ${path}: ?${name}`,
      send: (id: string) =>
        request(method, `${filled()}?start_time=1&${name}=${encodeURIComponent(id.toWellFormed())}`),
    }));
  const properties = at(...operation, 'requestBody', 'content', 'application/json', 'schema', 'properties');
  const inBody = Object.keys(isNode(properties) ? properties : {})
    .filter((name) => ID_NAME.test(name))
    .map((name) => ({
      name: `${method} ${path}: ${name} in the body`,
      send: (id: string) => request(method, filled(), { [name]: id }),
    }));
  return [...inPath, ...inQuery, ...inBody];
};

const METHODS = ['get', 'post', 'delete'];
const ALL = Object.keys(Object(DOCUMENT.paths)).flatMap((path) =>
  METHODS.filter((method) => at('paths', path, method) !== undefined).flatMap((method) =>
    places(path, method),
  ),
);

test('an odd id anywhere is refused or not found', async () => {
  assert.ok(ALL.length > 60, `only ${ALL.length} places`);
  const faults: string[] = [];
  // One after the other, so that each function needs a single process.
  for (const [place, { name, send }] of ALL.entries())
    for (const id of idsFor(place)) {
      const { status } = await send(id);
      if (status >= 500) faults.push(`${status} for ${JSON.stringify(id.slice(0, 40))}: ${name}`);
    }
  assert.deepEqual(faults, []);
});
