import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../../functions/catalogue/domain/models.ts';
import { OPERATIONS } from '../../../functions/openapi/document.ts';
import { readApi } from '../../../lib/local/gateway/api-definition.ts';
import { createStack } from '../../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../../lib/local/template/template.ts';
import { DOCUMENT } from '../../functions/openapi/support/document.ts';
import { fitting } from '../../functions/openapi/support/requests.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const fits = fitting(service);

describe('the running service', { concurrency: 2 }, () => {
  test('the document is served to everybody as it was checked', async () => {
    const answer = await fits(200, { method: 'GET', path: '/openapi.json' }, '');
    assert.deepEqual(JSON.parse(answer.text), DOCUMENT);
    assert.match(answer.headers.get('cache-control') ?? '', /public/);
  });

  test('the document has the routes of the stack and no others', async () => {
    const { template } = await readSynthesizedStack(service.files);
    const stack = createStack(template, {
      region: 'us-east-1',
      accountId: '000000000000',
      stackName: 'Test',
    });
    // A path part of the gateway is a parameter or fixed text: actions of images share one, that of videos has one for each model.
    const routes = readApi(stack).routes.map(({ method, resourcePath }) =>
      `${method} ${resourcePath}`
        .replace(/models\/[^/{]+:predictLongRunning$/, 'models/{model}:predictLongRunning')
        .replace('v1beta/files/{file_id+}', 'v1beta/files/{file}')
        .replace(/^((?:GET|HEAD) \/v1|\w+ \/v1beta)(\/models\/)\{modelAction\}/, '$1$2{model}'),
    );
    const described = OPERATIONS.map(
      ({ method, path }) =>
        `${method.toUpperCase()} ${path.replace(/:(?:\w*generateContent|predict|download)$/i, '').replace('{path}', '{path+}')}`,
    );
    // They only say that the operation is not supported, so that no generated client offers it.
    const notOffered = [
      'POST /v1/videos/{task_id}',
      'POST /v1/videos/{task_id}/remix',
      'POST /v1/videos/characters',
      'GET /v1/videos/characters/{character_id}',
      'HEAD /v1/videos/characters/{character_id}',
      'GET /mcp',
      'HEAD /mcp',
      'DELETE /mcp',
    ];
    const unknown = ['ANY /', 'ANY /{proxy+}'];
    // The same as below v1beta, for Google's clients, which bring their own types.
    const isRepeated = (route: string): boolean =>
      /\/(?:v1|v1beta1)\/(?:projects|publishers)\/|\/v1beta1\/files\/|\/upload\/v1\/|\/v1\/(?:models\/\{\w+\}\/)?operations\/|^POST \/v1\/models\//.test(
        route,
      );
    // The document says once that HEAD works wherever GET does, except for signing in.
    const heads = [...new Set(described)]
      .filter((route) => route.startsWith('GET ') && !route.startsWith('GET /v1/console/sign_in'))
      .map((route) => route.replace('GET', 'HEAD'));
    assert.deepEqual(
      [...new Set(described), ...heads, ...notOffered, ...unknown].toSorted(),
      [...new Set(routes)].filter((route) => !isRepeated(route)).toSorted(),
    );
  });

  test('the models fit the document', async () => {
    await fits(200, { method: 'GET', path: '/v1/models' });
    await fits(200, { method: 'GET', path: '/v1/models/{model}', at: `/v1/models/${IMAGE_MODEL}` });
    await fits(200, { method: 'GET', path: '/v1beta/models', at: '/v1beta/models?pageSize=1' });
    await fits(200, { method: 'GET', path: '/v1beta/models' });
    await fits(200, { method: 'GET', path: '/v1beta/models/{model}', at: `/v1beta/models/${IMAGE_MODEL}` });
    await fits(404, { method: 'GET', path: '/v1beta/models/{model}', at: '/v1beta/models/x' });
    await fits(400, { method: 'GET', path: '/v1beta/models', at: '/v1beta/models?pageToken=x' });
  });
});
