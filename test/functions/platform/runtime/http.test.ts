import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openAiDialect } from '../../../../functions/platform/api/errors.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { LogFields } from '../../../../functions/platform/domain/log-events.ts';
import { corsHeaders, httpHandler, preflightHeaders } from '../../../../functions/platform/runtime/http.ts';

/** The status of an answer, and whether its log line counts as an error of ours. */
const answerTo = async (failure: Error): Promise<unknown[]> => {
  const lines: LogFields[] = [];
  const handler = httpHandler(
    {
      dialect: openAiDialect,
      authenticate: async () => ({ account: 'a', keyId: 'k' }),
      logger: { info: (_, fields) => void lines.push(fields), error: () => {} },
    },
    () => Promise.reject(failure),
  );
  const event = { headers: {}, path: '/x', requestContext: { requestId: 'r', path: '/x' } };
  const { statusCode } = await Reflect.apply(handler, undefined, [event]);
  return [statusCode, ...lines.map(({ serverError }) => serverError)];
};

test('every answer from 500 on counts as an error of ours, and no other', async () => {
  assert.deepEqual(await answerTo(new Error('unforeseen')), [500, true]);
  assert.deepEqual(await answerTo(new DomainError('upstream_unavailable', 'no')), [503, true]);
  assert.deepEqual(await answerTo(new DomainError('rate_limited', 'no')), [429, false]);
});

const ALLOWED = ['https://app.example.com', 'http://localhost:*'];
const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name];

const ORIGINS: readonly [origin: string, allowed: boolean][] = [
  ['https://app.example.com', true],
  ['http://localhost:3000', true],
  ['http://localhost:65535', true],
  ['http://localhost', false],
  ['http://localhost:', false],
  ['http://localhost:3000.evil.example', false],
  ['http://localhost:3000@evil.example', false],
  ['http://app.example.com', false],
  ['https://app.example.com:444', false],
  ['https://app.example.com.evil.example', false],
  ['https://evil-app.example.com', false],
  ['HTTPS://APP.EXAMPLE.COM', false],
  ['null', false],
  ['*', false],
  ['', false],
];

describe('an answer', () => {
  for (const [origin, allowed] of ORIGINS)
    test(`is ${allowed ? '' : 'not '}for pages of ${JSON.stringify(origin)}`, () => {
      const headers = corsHeaders(reader({ origin }), ALLOWED);
      assert.equal(headers['access-control-allow-origin'], allowed ? origin : undefined);
      assert.equal(headers.vary, 'Origin');
      assert.ok(!('access-control-allow-credentials' in headers));
      assert.equal(
        preflightHeaders(reader({ origin, 'access-control-request-method': 'GET' }), ALLOWED) !== undefined,
        allowed,
      );
    });

  test('says nothing of origins where none is configured', () => {
    assert.deepEqual(corsHeaders(reader({ origin: 'https://app.example.com' }), []), {});
    assert.deepEqual(corsHeaders(reader({ origin: 'null' })), {});
  });
});

describe('a preflight', () => {
  const origin = 'https://app.example.com';
  const preflight = (headers: Readonly<Record<string, string>>) =>
    preflightHeaders(reader({ origin, ...headers }), ALLOWED);

  test('allows the method and the headers that it asks for', () => {
    const names = 'authorization,content-type,x-stainless-lang,x_own';
    const headers = preflight({
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': names,
    });
    assert.equal(headers?.['access-control-allow-methods'], 'DELETE');
    assert.equal(headers?.['access-control-allow-headers'], names);
    assert.equal(headers?.['access-control-max-age'], '7200');
  });

  test('needs a method, and repeats no nonsense', () => {
    assert.equal(preflight({}), undefined);
    assert.equal(preflight({ 'access-control-request-method': 'G(E)T' }), undefined);
    const odd = preflight({
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'a;b="<script>"',
    });
    assert.ok(odd !== undefined && !('access-control-allow-headers' in odd));
  });
});
