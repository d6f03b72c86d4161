import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bearer, NATIVE, post, vendor } from '../support/images/requests.ts';
import { openSharedService } from '../support/open-service.ts';
import { LONGEST_CONVERSATION, longNativeLists, longOpenAiLists } from './corpus/long-lists.ts';

const service = await openSharedService();

/** A unit test sends as many items as fit into a request to the same readers; here the first of each form has them. */
const [MANY, MOST] = [1000, 150_000];
const withLongest = <Case>(makeCases: (count: number) => readonly Case[]): readonly Case[] => [
  ...makeCases(MOST).slice(0, 1),
  ...makeCases(MANY),
];

describe('a list that is too long is refused in the native form, by its name and limit:', () => {
  for (const [path, body, message] of withLongest(longNativeLists))
    test(message, async () => {
      const answer = await post(service, path, vendor(service.apiKey), body);
      assert.deepEqual(answer.body, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
      assert.equal(answer.status, 400);
    });
});

describe('a list that is too long is refused in the OpenAI form, by its name and limit:', () => {
  for (const [path, body, param, message] of withLongest(longOpenAiLists))
    test(`${param} ${message}`, async () => {
      const answer = await post(service, path, bearer(service.apiKey), body);
      const error = {
        message: `${param} ${message}`,
        type: 'invalid_request_error',
        param,
        code: 'invalid_request',
      };
      assert.deepEqual(answer.body, { error });
      assert.equal(answer.status, 400);
    });
});

test('a conversation of 200 turns with 64 parts in each is accepted', async () => {
  const answer = await post(service, NATIVE, vendor(service.apiKey), LONGEST_CONVERSATION);
  assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 300));
});
