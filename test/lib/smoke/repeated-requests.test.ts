import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { uploadCheck } from '../../../lib/smoke/checks/files.ts';
import { webhookCheck } from '../../../lib/smoke/checks/webhooks.ts';
import type { Check } from '../../../lib/smoke/run-checks.ts';
import { call } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { at, checkThroughProxy, type Fault } from './faulty-proxy.ts';

const service = await openSharedService();

/** Lets the service run the first of these requests, but answers as if its function was throttled. */
const throttledOnce = (pattern: RegExp): Fault => {
  let isOver = false;
  return at(pattern, () => {
    if (isOver) return undefined;
    isOver = true;
    return new Response('{}', { status: 503, headers: { 'x-amz-apigw-id': 'abc=' } });
  });
};

const count = async (path: string): Promise<number> => {
  const { data } = (await call(service, 'GET', path)).body;
  return Array.isArray(data) ? data.length : assert.fail('no list');
};

describe('a request that runs although the gateway reports a throttled function', () => {
  test('creates one video, although it is sent twice', async () => {
    let id: unknown;
    const check: Check = {
      name: 'creates a video',
      run: async ({ tasks }) => {
        const json = { model: 'video-3.1-fast-generate-preview', prompt: 'A boat', seconds: 4 };
        const { json: created } = await tasks.send({ json });
        id = Object(created).id;
        assert.equal(await count('/v1/videos'), 1);
        assert.deepEqual(await tasks.removeAll(20_000), []);
      },
    };
    const { line } = await checkThroughProxy(service, check, throttledOnce(/^POST/));
    assert.match(line, /^ok /);
    assert.match(String(id), /^task_\w+$/);
  });

  test('leaves no webhook endpoint behind', async () => {
    const { line } = await checkThroughProxy(
      service,
      webhookCheck,
      throttledOnce(/^POST \S+\/v1\/webhook_endpoints$/),
    );
    assert.match(line, /^ok /);
    assert.equal(await count('/v1/webhook_endpoints'), 0);
  });

  test('announces a second upload, which the check does not use', async () => {
    const { line } = await checkThroughProxy(service, uploadCheck, throttledOnce(/^POST \S+\/v1\/files$/));
    assert.match(line, /^ok /);
  });
});

test('a sample event is sent again if the function of its receiver was throttled', async () => {
  let deliveries = 0;
  const fault = at(/\/test$/, () => {
    deliveries += 1;
    return deliveries === 1 ? Response.json({ status_code: 502 }) : undefined;
  });
  const { line } = await checkThroughProxy(service, webhookCheck, fault);
  assert.match(line, /^ok /);
  assert.equal(deliveries, 2);
});
