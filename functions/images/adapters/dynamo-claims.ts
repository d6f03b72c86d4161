import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
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
import { conditionHeld, retryOnConflict } from '../../platform/aws/contention.ts';
import { ERRORS, type ErrorCode } from '../../platform/domain/errors.ts';
import { claimId, type ImageClaim, type ImageClaims, type ImageResult } from '../domain/kept-image.ts';

/**
 * Image requests with an `Idempotency-Key`, in the table of files: an item beside the files of the account, which
 * DynamoDB removes after its time.
 */

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

const itemKey = (table: string, { account, id }: ImageClaim) => ({
  TableName: table,
  Key: encode({ account, id }),
});

const setResults = (table: string, claim: ImageClaim, results: ReadonlyMap<number, ImageResult>) => {
  const entries = [...results].map(([index, result], position) => ({ index, result, position }));
  return {
    ...itemKey(table, claim),
    UpdateExpression: `SET ${entries.map(({ position }) => `results.#index${position} = :result${position}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(
      entries.map(({ index, position }) => [`#index${position}`, String(index)]),
    ),
    ExpressionAttributeValues: encode(
      Object.fromEntries(entries.map(({ result, position }) => [`:result${position}`, result])),
    ),
  };
};

/** Part of the transaction that records the image. */
export const resultWrite = (
  table: string,
  claim: ImageClaim,
  index: number,
  result: ImageResult,
): TransactWriteItem => ({ Update: setResults(table, claim, new Map([[index, result]])) });

const WITHOUT_RESULTS = { condition: ' AND size(results) = :none', values: encode({ ':none': 0 }) };

/** Finds the claim of a key; undefined if no request has the key, or if another may use it. */
export const findClaim =
  (client: DynamoDBClient, table: string) =>
  async (account: string, idempotencyKey: string, now: number): Promise<ImageClaim | undefined> => {
    const Key = encode({ account, id: claimId(account, idempotencyKey) });
    const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
    const claim = Item === undefined ? undefined : readClaim(Item);
    return claim !== undefined && claim.expiresAt > now ? claim : undefined;
  };

export const dynamoClaims = (client: DynamoDBClient, table: string): ImageClaims => {
  /** Changes a claim that this request still works on. */
  const change = (
    claim: ImageClaim,
    values: Readonly<Record<'at' | 'expiresAt', number>>,
    further: { readonly condition: string; readonly values: Attributes } = { condition: '', values: {} },
  ) =>
    conditionHeld(() =>
      client.send(
        new UpdateItemCommand({
          ...itemKey(table, claim),
          UpdateExpression: 'SET #at = :at, expiresAt = :end',
          ConditionExpression: `requestId = :request AND #at = :before${further.condition}`,
          ExpressionAttributeNames: { '#at': 'at' },
          ExpressionAttributeValues: {
            ...encode({
              ':at': values.at,
              ':end': values.expiresAt,
              ':request': claim.requestId,
              ':before': claim.at,
            }),
            ...further.values,
          },
        }),
      ),
    );
  const leave = async (claim: ImageClaim): Promise<void> => {
    await change(claim, { at: 0, expiresAt: claim.expiresAt });
  };

  return {
    add: async (claim, now) => {
      try {
        await retryOnConflict(() =>
          client.send(
            new PutItemCommand({
              TableName: table,
              Item: toItem(claim),
              ConditionExpression: 'attribute_not_exists(id) OR expiresAt <= :now',
              ExpressionAttributeValues: encode({ ':now': now }),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            }),
          ),
        );
        return undefined;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) throw error;
        const held = readClaim(error.Item);
        // When a response is lost, the SDK repeats the write, which then finds its own claim.
        return held.requestId === claim.requestId && held.at === claim.at ? undefined : held;
      }
    },

    renew: (held, at) => change(held, { at, expiresAt: held.expiresAt }),

    saveFailures: async (claim, failures) => {
      await retryOnConflict(() => client.send(new UpdateItemCommand(setResults(table, claim, failures))));
    },

    leave,

    release: async (claim) => {
      const isFree = await change(claim, { at: 0, expiresAt: 0 }, WITHOUT_RESULTS);
      if (!isFree) await leave(claim);
    },
  };
};
