import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { call, createVideo, readError } from '../../support/http.ts';
import { openOwnService } from '../../support/open-service.ts';
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

const withoutRoutes = (path: string, ...methods: readonly string[]) =>
  changing((template) => {
    const [id = ''] = named(template, 'AWS::ApiGateway::RestApi', 'Api');
    const { paths } = Object(template.Resources[id]?.Properties.Body);
    for (const method of methods) {
      assert.ok(method in paths[path]);
      delete paths[path][method];
    }
  });

/** The gateway's role loses the statement's right to invoke this function. */
const withoutPermission = (functionPrefix: string) =>
  changing((template) => {
    const [functionId = ''] = named(template, 'AWS::Lambda::Function', functionPrefix);
    const [policyId = ''] = named(template, 'AWS::IAM::Policy', 'ApiRoutesInvokeRole');
    const { Statement } = Object(template.Resources[policyId]?.Properties.PolicyDocument);
    const [statement] = Statement;
    const kept = statement.Resource.filter((arn: object) => !JSON.stringify(arn).includes(`"${functionId}"`));
    assert.equal(kept.length, statement.Resource.length - 1);
    statement.Resource = kept;
  });

const all =
  (...changes: readonly ((text: string) => string)[]) =>
  (text: string): string =>
    changes.reduce((changed, change) => change(changed), text);

/** Lacks several parts that have nothing to do with one another. */
const broken = await openOwnService({
  changeTemplate: all(
    withoutVariable('ListFiles', 'FILE_TABLE'),
    withoutVariable('VideoWorker', 'UPSTREAMS'),
    withoutRoutes('/v1/videos', 'get'),
    withoutRoutes('/', 'x-amazon-apigateway-any-method'),
    withoutPermission('ListModels'),
  ),
});

describe('a stack that would fail when deployed also fails locally:', () => {
  test('a function without one of its variables does not start, and the gateway answers 502', async () => {
    const answer = await call(broken, 'GET', '/v1/files');
    assert.deepEqual([answer.status, readError(answer).code], [502, 'internal']);
    assert.ok(broken.logs().some((line) => line.includes('FILE_TABLE')));
  });

  test('a missing route answers 404', async () => {
    const answer = await call(broken, 'GET', '/v1/videos');
    assert.deepEqual([answer.status, readError(answer).code], [404, 'not_found']);
  });

  test('a function that the gateway may not invoke answers 500', async () => {
    const answer = await call(broken, 'GET', '/v1/models');
    assert.deepEqual([answer.status, readError(answer).code], [500, 'internal']);
  });

  test('other routes still work', async () => {
    const answer = await call(broken, 'GET', '/v1/videos/task_x');
    assert.deepEqual([answer.status, readError(answer).code], [404, 'video_not_found']);
  });

  test('a worker without the environment of a grant leaves its task queued', async () => {
    const id = await createVideo(broken, 'never started');
    await until(() => broken.logs().some((line) => line.includes('UPSTREAMS')));
    assert.equal((await call(broken, 'GET', `/v1/videos/${id}`)).body.status, 'queued');
  });

  test('a stack without its catch-all answers 403 to a key on an unknown route', async () => {
    assert.equal((await call(broken, 'DELETE', '/')).status, 403);
    assert.equal((await call(broken, 'DELETE', '/', { key: '' })).status, 404);
  });
});
