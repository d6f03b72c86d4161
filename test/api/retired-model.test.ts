import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { checkUpstreams, enableUpstream } from '../../lib/operator/upstreams.ts';
import { call, createVideo, MODEL, readError, waitFor } from '../support/http.ts';
import { startPooledService } from '../support/pooled-service.ts';
import { until } from '../support/until.ts';

const service = await startPooledService([{ name: 'router', kind: 'openrouter' }]);
after(service.close);
const router = service.generatorNamed('router');
const stack = { outputs: service.outputs, clientConfig: service.operator };

const create = () =>
  call(service, 'POST', '/v1/videos', { json: { model: MODEL, prompt: 'a boat', seconds: 4 } });

describe('a model that the only upstream retires', () => {
  test('fails the videos that wait, without a charge', async () => {
    router.limit({ retired: { 'google/veo-3.1': null } });
    const { body } = await waitFor(service, await createVideo(service, 'a lighthouse'));
    assert.deepEqual(
      [body.status, body.error],
      ['failed', { code: 'model_unavailable', message: 'The generator no longer offers this model.' }],
    );
    const { body: detail } = await call(service, 'GET', `/v1/videos/${body.id}?include[]=charge`);
    assert.equal(detail.charge, null);
  });

  test('is refused within a minute, before a task is accepted', async () => {
    await until(async () => (await create()).status !== 200, 2000);
    const answer = await create();
    assert.deepEqual(
      [answer.status, readError(answer).code, readError(answer).param],
      [503, 'model_unavailable', 'model'],
    );
    assert.equal(answer.headers.get('x-should-retry'), 'false');
  });

  test('is named by the check of the operator', async () => {
    const problems = (await checkUpstreams(stack)).filter(({ isProblem }) => isProblem);
    assert.deepEqual(problems, [
      {
        subject: 'router google/veo-3.1',
        result: 'is not offered there: set another name in models',
        isProblem: true,
      },
    ]);
  });

  test('is accepted again within a minute after the operator has enabled the upstream', async () => {
    router.limit({});
    await enableUpstream(stack, 'router');
    await until(async () => (await create()).status === 200, 2000);
    const { body } = await waitFor(service, await createVideo(service, 'a lighthouse'));
    assert.equal(body.status, 'completed');
  });
});
