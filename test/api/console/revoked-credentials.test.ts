import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { hashKey } from '../../../functions/identity/domain/api-key.ts';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { type Answer, call } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { signIn } from '../../support/sessions.ts';

const service = await openSharedService();
const account = `acme-${randomUUID()}`;
const store = { clientConfig: service.operator, outputs: service.outputs };
const issueAdminKey = () => issueApiKey(store, { account, name: 'admin', kind: 'admin' });

const KEYS = `/v1/organization/projects/${account}/api_keys`;
const CREATIONS: readonly (readonly [path: string, json: object])[] = [
  [KEYS, { name: 'new' }],
  [`/v1/organization/projects/${account}/service_accounts/${account}/api_keys`, { name: 'new' }],
  ['/v1/console/links', {}],
];

type Create = (path: string, json: object) => Promise<Answer>;
const statuses = (create: Create): Promise<number[]> =>
  Promise.all(CREATIONS.map(async ([path, json]) => (await create(path, json)).status));

describe('creates no key and no link from the moment it is revoked:', () => {
  test('an admin key', async () => {
    const [key, other] = [await issueAdminKey(), await issueAdminKey()];
    const create: Create = (path, json) => call(service, 'POST', path, { key, json });
    assert.deepEqual(await statuses(create), [200, 200, 200]);
    const { body } = await call(service, 'GET', KEYS, { key: other });
    const listed: { id: string }[] = Array.from(Object(body.data));
    const id = listed.find((each) => hashKey(key).startsWith(each.id.replace('key_', '')))?.id;
    assert.equal((await call(service, 'DELETE', `${KEYS}/${id}`, { key: other })).status, 200);
    assert.deepEqual(await statuses(create), [401, 401, 401]);
  });

  test('a console session', async () => {
    const session = await signIn(service, account);
    const create: Create = (path, json) => session.call('POST', path, json);
    assert.deepEqual(await statuses(create), [200, 200, 200]);
    const ended = await call(service, 'DELETE', `/v1/console/sessions/${session.id}`, {
      key: await issueAdminKey(),
    });
    assert.equal(ended.status, 200);
    assert.deepEqual(await statuses(create), [401, 401, 401]);
  });
});
