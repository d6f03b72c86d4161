import {
  type Answer,
  at,
  expectAnswer,
  expectHeader,
  expectNativeError,
  expectOpenAiError,
  expectTrue,
  listAt,
  textAt,
} from '../answers.ts';
import type { Api } from '../api.ts';
import { gradientPngOfSize } from '../media.ts';
import type { Check } from '../run-checks.ts';
import { NATIVE_IMAGE } from './images.ts';
import { videoForm } from './videos.ts';

const MEGABYTE = 1024 * 1024;

const largeForm: Check = {
  name: 'rejects a form of 6 MB with 413',
  run: async ({ tasks, note }) => {
    const png = gradientPngOfSize(6 * MEGABYTE);
    const form = videoForm({ prompt: 'Too large' }, [['input_reference', png]]);
    const answer = await tasks.send({ form });
    // API Gateway has been seen to ignore the gateway response of the stack.
    if (answer.status === 413 && at(answer.json, 'error') === undefined)
      note("API Gateway's own 413, without an error of the API");
    else expectOpenAiError(answer, { status: 413, code: 'request_too_large' });
  },
};

const wrongKey: Check = {
  name: 'rejects a wrong API key with 401',
  run: async ({ api }) => {
    const wrong = 'mgk_this-is-not-a-key';
    const openAi = await api.anonymous('GET', '/v1/videos', {
      headers: { authorization: `Bearer ${wrong}` },
    });
    expectOpenAiError(openAi, { status: 401, code: 'invalid_api_key' });
    const native = await api.anonymous('POST', NATIVE_IMAGE, {
      headers: { 'x-vendor-api-key': wrong },
      json: { contents: [{ parts: [{ text: 'A fox' }] }] },
      repeatable: true,
    });
    expectNativeError(native, { status: 401, code: 'UNAUTHENTICATED' });
  },
};

/** API Gateway itself would take a Bearer header for an invalid signature and answer 403. */
const unknownRoutes: Check = {
  name: 'answers an unknown route with 404',
  run: async ({ api }) => {
    const openAi = await api.call('GET', '/v1/there-is-no-such-route');
    expectOpenAiError(openAi, { status: 404, code: 'not_found' });
    const native = await api.call('GET', '/v1beta/there-is-no-such-route');
    expectNativeError(native, { status: 404, code: 'NOT_FOUND' });
  },
};

export const refusalChecks: readonly Check[] = [largeForm, wrongKey, unknownRoutes];

const ROUTES = [
  '/v1/videos',
  '/v1/videos/{task_id}',
  '/v1/videos/{task_id}/content',
  '/v1/video/generations/{task_id}',
  '/v1/models',
  '/v1/chat/completions',
];

export const documentCheck: Check = {
  name: 'serves its OpenAPI document',
  run: async ({ api }) => {
    const answer = await expectAnswer(200, api.anonymous('GET', '/openapi.json'));
    const missing = ROUTES.filter((route) => at(answer.json, 'paths', route) === undefined);
    expectTrue(missing.length === 0, 'every route in paths', `none of ${missing.join(', ')}`, answer);
  },
};

const preflight = (api: Api, origin: string): Promise<Answer> =>
  api.anonymous('OPTIONS', '/v1/videos', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

export const preflightCheck = (origin: string): Check => ({
  name: 'answers the preflight of an allowed origin',
  run: async ({ api }) => {
    const answer = await expectAnswer(204, preflight(api, origin));
    expectHeader(answer, 'access-control-allow-origin', origin);
    expectHeader(answer, 'access-control-allow-methods', 'POST');
    expectHeader(answer, 'access-control-allow-headers', 'authorization,content-type');
    const call = await expectAnswer(200, api.call('GET', '/v1/models', { headers: { origin } }));
    expectHeader(call, 'access-control-allow-origin', origin);
  },
});

/** A reserved name that never resolves, so no configuration allows it. */
const OTHER_ORIGIN = 'https://smoke-test.invalid';

export const refusedPreflight: Check = {
  name: 'rejects the preflight of another origin',
  run: async ({ api }) => {
    const answer = await preflight(api, OTHER_ORIGIN);
    expectOpenAiError(answer, { status: 404, code: 'not_found' });
    expectHeader(answer, 'access-control-allow-origin', 'none');
  },
};

export const queryKeyCheck: Check = {
  name: 'accepts ?key= from clients of Google only',
  run: async ({ api }) => {
    const answer = await expectAnswer(
      200,
      api.anonymous('GET', `/v1beta/models?key=${encodeURIComponent(api.apiKey)}`),
    );
    expectTrue(listAt(answer.json, 'models').length > 0, 'a list of models', 'none', answer);
    const wrong = await api.anonymous('GET', '/v1beta/models?key=mgk_this-is-not-a-key');
    expectNativeError(wrong, { status: 401, code: 'UNAUTHENTICATED' });
    const elsewhere = await api.anonymous('GET', `/v1/videos?key=${encodeURIComponent(api.apiKey)}`);
    expectOpenAiError(elsewhere, { status: 401, code: 'invalid_api_key' });
  },
};

/** Some clients encode the colon. The error of an empty request shows that the route was found, and costs nothing. */
export const colonCheck = (plain: string): Check => ({
  name: 'accepts a colon in a path, plain and as %3A',
  run: async ({ api }) => {
    const messages = new Set<string>();
    for (const path of [plain, plain.replace(':', '%3A')]) {
      const answer = await api.call('POST', path, { json: {}, repeatable: true });
      expectNativeError(answer, { status: 400, code: 'INVALID_ARGUMENT' });
      messages.add(textAt(answer.json, 'error', 'message'));
    }
    const seen = [...messages].map((message) => JSON.stringify(message)).join(' and ');
    expectTrue(messages.size === 1, 'the same error for both', seen);
  },
});
