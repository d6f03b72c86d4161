import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../platform/authentication/audit-trail.ts';
import { encode } from '../../platform/aws/dynamo.ts';
import type { SealedText } from '../../platform/aws/secret.ts';
import type { WebhookChanges, WebhookSecrets } from '../domain/webhook-delivery.ts';
import { toSecretHint } from '../domain/webhook-signature.ts';
import { MAX_ENDPOINTS } from '../domain/webhooks.ts';
import { COUNTER, changeUnlessChanged, ENDPOINT_IDS, sealingContext } from './dynamo-webhook-endpoints.ts';

/** Changes of endpoints by their owner. Each is one transaction with its audit entry. */

export const dynamoWebhookChanges = (table: string, audit: AuditTrail): WebhookChanges => ({
  change: async (next, read, entry) => {
    const { name, url, eventTypes, updatedAt, disabled, failingSince, respondsQuickly } = next;
    const isHealthChanged =
      disabled !== read.disabled ||
      failingSince !== read.failingSince ||
      respondsQuickly !== read.respondsQuickly;
    const Update = changeUnlessChanged(table, read, {
      name,
      url,
      eventTypes,
      updatedAt,
      ...(isHealthChanged ? { disabled, failingSince, respondsQuickly } : {}),
    });
    return (await audit.write([{ Update }], entry)).length === 0;
  },

  remove: async (account, id, entry) => {
    if (!id.startsWith(ENDPOINT_IDS)) return false;
    const Key = encode({ account, id });
    const removal = { Delete: { TableName: table, Key, ConditionExpression: 'attribute_exists(secret)' } };
    return (await audit.write([removal, changeCount(table, account, -1)], entry)).length === 0;
  },
});

export const dynamoWebhookSecrets = (
  table: string,
  sealed: SealedText,
  audit: AuditTrail,
): WebhookSecrets => ({
  add: async ({ secret, oldSecret: _, ...endpoint }, entry) => {
    const Item = encode({
      ...endpoint,
      secret: await sealed.seal(secret, sealingContext(endpoint)),
      secretHint: toSecretHint(secret),
    });
    const addition = { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(id)' } };
    const count = changeCount(table, endpoint.account, 1, MAX_ENDPOINTS);
    return (await audit.write([addition, count], entry)).length === 0;
  },

  rotate: async (read, { secret, updatedAt }, keepOldUntil, entry) => {
    const Update = changeUnlessChanged(
      table,
      read,
      {
        secret: await sealed.seal(secret, sealingContext(read)),
        secretHint: toSecretHint(secret),
        updatedAt,
        oldSecretUntil: keepOldUntil,
        ...(keepOldUntil === undefined ? { oldSecret: undefined } : {}),
      },
      keepOldUntil === undefined ? {} : { oldSecret: 'secret' },
    );
    return (await audit.write([{ Update }], entry)).length === 0;
  },
});

/** Changes the number of the account's endpoints, up to the given maximum. */
const changeCount = (
  TableName: string,
  account: string,
  change: 1 | -1,
  most?: number,
): TransactWriteItem => ({
  Update: {
    TableName,
    Key: encode({ account, id: COUNTER }),
    UpdateExpression: 'ADD endpoints :change',
    ...(most && { ConditionExpression: 'attribute_not_exists(endpoints) OR endpoints < :most' }),
    ExpressionAttributeValues: encode({ ':change': change, ':most': most }),
  },
});
