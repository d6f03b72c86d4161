import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiDialect } from '../../../../functions/platform/api/errors.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { LogFields } from '../../../../functions/platform/domain/log-events.ts';
import { httpHandler } from '../../../../functions/platform/runtime/http.ts';

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
