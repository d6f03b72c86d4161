import type { Answer } from '../answer.ts';
import type { Api } from '../api.ts';
import type { Check } from '../check.ts';
import { expectNativeError, expectOpenAiError, expectStatus, expectTrue } from '../check-failure.ts';
import { listAt, textAt } from '../json-path.ts';
import { NATIVE_IMAGE } from './images.ts';

const preflight = (api: Api, origin: string): Promise<Answer> =>
  api.anonymous('OPTIONS', '/v1/videos', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

const expectHeader = (answer: Answer, name: string, expected: string): void => {
  const seen = answer.headers.get(name) ?? 'none';
  expectTrue(seen === expected, `${name} ${expected}`, seen, answer);
};

export const PREFLIGHT_CHECK = 'answers the preflight of an allowed origin';

export const preflightCheck = (origin: string): Check => ({
  name: PREFLIGHT_CHECK,
  run: async ({ api }) => {
    const answer = await preflight(api, origin);
    expectStatus(answer, 204);
    expectHeader(answer, 'access-control-allow-origin', origin);
    expectHeader(answer, 'access-control-allow-methods', 'POST');
    expectHeader(answer, 'access-control-allow-headers', 'authorization,content-type');
    const call = await api.call('GET', '/v1/models', { headers: { origin } });
    expectStatus(call, 200);
    expectHeader(call, 'access-control-allow-origin', origin);
  },
});

/** No configuration can allow it: the name is reserved and never resolves. */
const STRANGER = 'https://smoke-test.invalid';

const refusedPreflight: Check = {
  name: 'refuses the preflight of another origin',
  run: async ({ api }) => {
    const answer = await preflight(api, STRANGER);
    expectOpenAiError(answer, { status: 404, code: 'not_found' });
    expectHeader(answer, 'access-control-allow-origin', 'none');
  },
};

const queryKey: Check = {
  name: 'takes the key of /v1beta from ?key=',
  run: async ({ api }) => {
    const answer = await api.anonymous('GET', `/v1beta/models?key=${encodeURIComponent(api.apiKey)}`);
    expectStatus(answer, 200);
    expectTrue(listAt(answer.json, 'models').length > 0, 'a list of models', 'none', answer);
    const wrong = await api.anonymous('GET', '/v1beta/models?key=mgk_this-is-not-a-key');
    expectNativeError(wrong, { status: 401, code: 'UNAUTHENTICATED' });
    const elsewhere = await api.anonymous('GET', `/v1/models?key=${encodeURIComponent(api.apiKey)}`);
    expectOpenAiError(elsewhere, { status: 401, code: 'invalid_api_key' });
  },
};

/** Some clients encode the colon. An empty request shows that it was understood, and generates nothing. */
const colons: Check = {
  name: 'reads a colon in a path, plain and as %3A',
  run: async ({ api }) => {
    const messages = new Set<string>();
    for (const path of [NATIVE_IMAGE, NATIVE_IMAGE.replace(':', '%3A')]) {
      const answer = await api.call('POST', path, { json: {} });
      expectNativeError(answer, { status: 400, code: 'INVALID_ARGUMENT' });
      messages.add(textAt(answer.json, 'error', 'message'));
    }
    const seen = [...messages].map((message) => JSON.stringify(message)).join(' and ');
    expectTrue(messages.size === 1, 'the same error for both', seen);
  },
};

export const requestChecks: readonly Check[] = [refusedPreflight, queryKey, colons];
