import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { httpHandler } from '../../../../functions/identity/authentication/endpoint.ts';
import { openAiDialect } from '../../../../functions/platform/api/errors.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { LogFields } from '../../../../functions/platform/domain/log-events.ts';
import { corsHeaders, preflightHeaders } from '../../../../functions/platform/runtime/cors.ts';

/** Returns the status of the response, and the `serverError` field of its log line. */
const respondTo = async (failure: Error): Promise<unknown[]> => {
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

test('logs exactly the responses with status 500 and above as server errors', async () => {
  assert.deepEqual(await respondTo(new Error('unforeseen')), [500, true]);
  assert.deepEqual(await respondTo(new DomainError('upstream_unavailable', 'no')), [503, true]);
  assert.deepEqual(await respondTo(new DomainError('rate_limited', 'no')), [429, false]);
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

describe('corsHeaders', () => {
  for (const [origin, allowed] of ORIGINS)
    test(`${allowed ? 'allows' : 'rejects'} the origin ${JSON.stringify(origin)}`, () => {
      const headers = corsHeaders(reader({ origin }), ALLOWED);
      assert.equal(headers['access-control-allow-origin'], allowed ? origin : undefined);
      assert.equal(headers.vary, 'Origin');
      assert.ok(!('access-control-allow-credentials' in headers));
      assert.equal(
        preflightHeaders(reader({ origin, 'access-control-request-method': 'GET' }), ALLOWED) !== undefined,
        allowed,
      );
    });

  test('returns no headers if no origin is configured', () => {
    assert.deepEqual(corsHeaders(reader({ origin: 'https://app.example.com' }), []), {});
    assert.deepEqual(corsHeaders(reader({ origin: 'null' })), {});
  });
});

describe('preflightHeaders', () => {
  const origin = 'https://app.example.com';
  const preflight = (headers: Readonly<Record<string, string>>) =>
    preflightHeaders(reader({ origin, ...headers }), ALLOWED);

  test('allows the requested method and headers', () => {
    const names = 'authorization,content-type,x-stainless-lang,x_own';
    const headers = preflight({
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': names,
    });
    assert.equal(headers?.['access-control-allow-methods'], 'DELETE');
    assert.equal(headers?.['access-control-allow-headers'], names);
    assert.equal(headers?.['access-control-max-age'], '7200');
  });

  test('requires a valid method, and does not echo invalid header names', () => {
    assert.equal(preflight({}), undefined);
    assert.equal(preflight({ 'access-control-request-method': 'G(E)T' }), undefined);
    const odd = preflight({
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'a;b="<script>"',
    });
    assert.ok(odd !== undefined && !('access-control-allow-headers' in odd));
  });
});
