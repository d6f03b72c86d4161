import type { Check } from '../check.ts';
import { expectNativeError, expectOpenAiError, expectStatus, expectTrue } from '../check-failure.ts';
import { at } from '../json-path.ts';
import { gradientPngOf } from '../picture.ts';
import { videoForm } from './image-modes.ts';
import { NATIVE_IMAGE } from './images.ts';

const MEGABYTE = 1024 * 1024;

const largeForm: Check = {
  name: 'refuses a form of 6 MB with 413',
  run: async ({ tasks }) => {
    const png = gradientPngOf(6 * MEGABYTE);
    const form = videoForm({ prompt: 'Too large', seconds: '4' }, [['input_reference', png]]);
    expectOpenAiError(await tasks.send({ form }), { status: 413, code: 'request_too_large' });
  },
};

const wrongKey: Check = {
  name: 'refuses a wrong key with 401',
  run: async ({ api }) => {
    const wrong = 'mgk_this-is-not-a-key';
    const openAi = await api.anonymous('GET', '/v1/videos', {
      headers: { authorization: `Bearer ${wrong}` },
    });
    expectOpenAiError(openAi, { status: 401, code: 'invalid_api_key' });
    const native = await api.anonymous('POST', NATIVE_IMAGE, {
      headers: { 'x-vendor-api-key': wrong },
      json: { contents: [{ parts: [{ text: 'A fox' }] }] },
    });
    expectNativeError(native, { status: 401, code: 'UNAUTHENTICATED' });
  },
};

/** API Gateway by itself takes a Bearer header for a signature that it cannot read, and answers 403. */
const unknownRoutes: Check = {
  name: 'answers an unknown route with 404',
  run: async ({ api }) => {
    const openAi = await api.call('GET', '/v1/there-is-no-such-route');
    expectOpenAiError(openAi, { status: 404, code: 'not_found' });
    const native = await api.call('GET', '/v1beta/there-is-no-such-route');
    expectNativeError(native, { status: 404, code: 'NOT_FOUND' });
  },
};

const ROUTES = [
  '/v1/videos',
  '/v1/videos/{task_id}',
  '/v1/videos/{task_id}/content',
  '/v1/video/generations/{task_id}',
  '/v1/chat/completions',
  '/v1/models',
];

const description: Check = {
  name: 'describes itself in openapi.json',
  run: async ({ api }) => {
    const answer = await api.anonymous('GET', '/openapi.json');
    expectStatus(answer, 200);
    const missing = ROUTES.filter((route) => at(answer.json, 'paths', route) === undefined);
    expectTrue(missing.length === 0, 'every route in paths', `none of ${missing.join(', ')}`, answer);
  },
};

export const refusalChecks: readonly Check[] = [largeForm, wrongKey, unknownRoutes, description];
