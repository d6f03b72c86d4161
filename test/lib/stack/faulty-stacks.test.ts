import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { call, createVideo, errorOf, waitFor } from '../../support/http.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const templateSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
type Template = z.infer<typeof templateSchema>;

const changing =
  (change: (template: Template) => void) =>
  (text: string): string => {
    const template = templateSchema.parse(JSON.parse(text));
    change(template);
    return JSON.stringify(template);
  };

const named = (template: Template, type: string, prefix: string): string[] =>
  Object.keys(template.Resources).filter(
    (id) => template.Resources[id]?.Type === type && id.startsWith(prefix),
  );

const withoutVariable = (functionPrefix: string, variable: string) =>
  changing((template) => {
    const [id = ''] = named(template, 'AWS::Lambda::Function', functionPrefix);
    const environment = z
      .object({ Variables: z.record(z.string(), z.unknown()) })
      .parse(template.Resources[id]?.Properties.Environment);
    assert.ok(variable in environment.Variables);
    delete environment.Variables[variable];
    Object.assign(template.Resources[id]?.Properties ?? {}, { Environment: environment });
  });

const without = (type: string, prefix: string) =>
  changing((template) => {
    const ids = named(template, type, prefix);
    assert.ok(ids.length > 0);
    for (const id of ids) delete template.Resources[id];
  });

const using = async (
  changeTemplate: (template: string) => string,
  act: (service: Service) => Promise<void>,
) => {
  const service = await startService({ changeTemplate });
  try {
    await act(service);
  } finally {
    await service.close();
  }
};

describe('a stack fails on this machine where it would fail when deployed:', () => {
  test('a function without one of its variables does not start, and the gateway answers 502', () =>
    using(withoutVariable('CreateVideo', 'STEP_QUEUE_URL'), async (service) => {
      const answer = await call(service, 'POST', '/v1/videos', { json: { model: 'm', prompt: 'p' } });
      assert.deepEqual([answer.status, errorOf(answer).code], [502, 'internal']);
      assert.ok(service.logs().some((line) => line.includes('STEP_QUEUE_URL')));
      assert.equal((await call(service, 'GET', '/v1/videos')).status, 200);
    }));

  test('a worker without the environment of a grant leaves its task queued', () =>
    using(withoutVariable('VideoWorker', 'UPSTREAM_BASE_URL'), async (service) => {
      const id = await createVideo(service, 'never started');
      await until(() => service.logs().some((line) => line.includes('UPSTREAM_BASE_URL')));
      assert.equal((await call(service, 'GET', `/v1/videos/${id}`)).body.status, 'queued');
    }));

  test('a route that is not there is a 404', () =>
    using(without('AWS::ApiGateway::Method', 'ApiRestv1videosGET'), async (service) => {
      assert.equal((await call(service, 'GET', '/v1/videos')).status, 404);
      assert.equal((await call(service, 'GET', '/v1/models')).status, 200);
    }));

  test('a stack without its catch-all answers 403 to a key on an unknown route', () =>
    using(without('AWS::ApiGateway::Method', 'ApiRestproxyANY'), async (service) => {
      assert.equal((await call(service, 'GET', '/v1/nothing')).status, 403);
      assert.equal((await call(service, 'GET', '/v1/nothing', { key: '' })).status, 404);
    }));

  test('a function that the gateway may not invoke is a 500', () =>
    using(
      without('AWS::Lambda::Permission', 'ApiRestApiPermissionApiScopedMediaGenerationListModels'),
      async (service) => {
        const answer = await call(service, 'GET', '/v1/models');
        assert.deepEqual([answer.status, errorOf(answer).code], [500, 'internal']);
      },
    ));

  test('the stack as it is works', () =>
    using(
      (template) => template,
      async (service) => {
        assert.equal(
          (await waitFor(service, await createVideo(service, 'a quiet harbour'))).body.status,
          'completed',
        );
      },
    ));
});
