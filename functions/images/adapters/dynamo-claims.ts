import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import {
  type Attributes,
  boolean,
  corrupt,
  encode,
  map,
  number,
  oneOf,
  optional,
  text,
  time,
} from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { type Condition, putWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import { ERRORS, type ErrorCode } from '../../platform/domain/errors.ts';
import { claimId, type ImageClaim, type ImageClaims, type ImageResult } from '../domain/kept-image.ts';

/** Image requests with an `Idempotency-Key`: items of the table of files, which DynamoDB removes after their time. */

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

const readErrorCode = (item: Attributes): ErrorCode => {
  const code = text(item, 'code');
  if (!isErrorCode(code)) throw corrupt('code');
  return code;
};

const readTokens = (item: Attributes) => ({
  prompt: number(item, 'prompt'),
  output: number(item, 'output'),
  total: number(item, 'total'),
});

const readRemoved = (item: Attributes, name: string) => oneOf(item, name, ['removed'] as const);

const readResult = (item: Attributes): ImageResult =>
  oneOf(item, 'outcome', ['image', 'failed'] as const) === 'failed'
    ? { outcome: 'failed', code: readErrorCode(item), message: text(item, 'message') }
    : {
        outcome: 'image',
        text: text(item, 'text'),
        cutShort: boolean(item, 'cutShort'),
        tokens: readTokens(map(item, 'tokens')),
        promptImageTokens: optional(item, 'promptImageTokens', number),
        contentCredentials: optional(item, 'contentCredentials', readRemoved),
        completedAt: time(item, 'completedAt'),
      };

const readResults = (item: Attributes, name: string): ReadonlyMap<number, ImageResult> => {
  const results = map(item, name);
  return new Map(Object.keys(results).map((index) => [Number(index), readResult(map(results, index))]));
};

export const toItem = ({ results, ...claim }: ImageClaim): Attributes =>
  encode({
    ...claim,
    results: Object.fromEntries(results),
    expires: Math.ceil(claim.expiresAt / 1000),
  });

export const readClaim = (item: Attributes): ImageClaim =>
  ({
    account: text(item, 'account'),
    id: text(item, 'id'),
    fingerprint: text(item, 'fingerprint'),
    requestId: text(item, 'requestId'),
    count: number(item, 'count'),
    createdAt: time(item, 'createdAt'),
    at: time(item, 'at'),
    expiresAt: time(item, 'expiresAt'),
    results: readResults(item, 'results'),
  }) satisfies { readonly [Property in keyof Required<ImageClaim>]: ImageClaim[Property] };

const keyOf = ({ account, id }: ImageClaim) => ({ account, id });

const setResults = (table: string, claim: ImageClaim, results: ReadonlyMap<number, ImageResult>) => {
  const entries = [...results].map(([index, result], position) => ({ index, result, position }));
  const changes = entries.map(({ position }) => `results.#index${position} = :result${position}`);
  return updateWrite(table, keyOf(claim), {
    expression: `SET ${changes.join(', ')}`,
    names: Object.fromEntries(entries.map(({ index, position }) => [`index${position}`, String(index)])),
    values: Object.fromEntries(entries.map(({ result, position }) => [`result${position}`, result])),
  });
};

/** Part of the transaction that records the image. */
export const resultWrite = (
  table: string,
  claim: ImageClaim,
  index: number,
  result: ImageResult,
): TransactWriteItem => setResults(table, claim, new Map([[index, result]]));

/** Finds the claim of a key; undefined if no request has the key, or if another may use it. */
export const findClaim =
  (client: DynamoDBClient, table: string) =>
  async (account: string, idempotencyKey: string, now: number): Promise<ImageClaim | undefined> => {
    const key = { account, id: claimId(account, idempotencyKey) };
    const claim = await dynamoTable(client, table).get(key, readClaim);
    return claim !== undefined && claim.expiresAt > now ? claim : undefined;
  };

/** `more` is written into the item of a new claim. */
export const dynamoClaims = (client: DynamoDBClient, name: string, more: Attributes = {}): ImageClaims => {
  const table = dynamoTable(client, name);

  /** Changes a claim that this request still works on. */
  const change = (
    claim: ImageClaim,
    set: Readonly<Record<'at' | 'expiresAt', number>>,
    further: Condition = {},
  ): Promise<boolean> =>
    table.update(keyOf(claim), {
      set,
      when: `requestId = :request AND #at = :before${further.when ?? ''}`,
      values: { request: claim.requestId, before: claim.at, ...further.values },
    });

  const leave = async (claim: ImageClaim): Promise<void> => {
    await change(claim, { at: 0, expiresAt: claim.expiresAt });
  };

  return {
    add: async (claim, now) => {
      const stored = await table.attempt(
        putWrite(
          name,
          { ...more, ...toItem(claim) },
          {
            when: 'attribute_not_exists(id) OR expiresAt <= :now',
            values: { now },
            returnsItem: true,
          },
        ),
      );
      if (stored === undefined) return undefined;
      const held = readClaim(stored);
      // When a response is lost, the SDK repeats the write, which then finds its own claim.
      return held.requestId === claim.requestId && held.at === claim.at ? undefined : held;
    },

    renew: (held, at) => change(held, { at, expiresAt: held.expiresAt }),

    saveFailures: async (claim, failures) => {
      await table.attempt(setResults(name, claim, failures));
    },

    leave,

    release: async (claim) => {
      const withoutResults = { when: ' AND size(results) = :none', values: { none: 0 } };
      if (!(await change(claim, { at: 0, expiresAt: 0 }, withoutResults))) await leave(claim);
    },
  };
};
