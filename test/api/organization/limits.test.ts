import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import OpenAI from 'openai';
import { monthAfter, monthEnd, toUtcMonth } from '../../../functions/billing/domain/periods.ts';
import { IMAGE_MODEL } from '../../../functions/catalogue/domain/models.ts';
import { encode } from '../../../functions/platform/aws/attributes.ts';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { dynamoClient } from '../../../lib/operator/dynamo-client.ts';
import { stackOutput } from '../../../lib/operator/operated-stack.ts';
import { call, FAST_MODEL, MODEL, readError } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const store = { clientConfig: service.operator, outputs: service.outputs };
const tableName = stackOutput({ ...store, outputs: service.outputs }, 'AccountTableName');

/** An account with these attributes, and how to call with its admin key. */
const open = async (attributes: Parameters<typeof encode>[0], committed: Record<string, string> = {}) => {
  const account = `limits-${randomUUID()}`;
  const money = Object.entries(committed).map(([month, N]) => [`committed#${month}`, { N }]);
  const Item = { ...encode({ account, ...attributes }), ...Object.fromEntries(money) };
  await dynamoClient(service.operator).send(new PutItemCommand({ TableName: tableName, Item }));
  const adminAPIKey = await issueApiKey(store, { account, name: 'billing', kind: 'admin' });
  const get = (path: string, project = account) =>
    call(service, 'GET', `/v1/organization/projects/${project}/${path}`, { key: adminAPIKey });
  return { account, adminAPIKey, get };
};

const month = toUtcMonth(Date.now());
const limited = await open(
  { monthlyBudget: '19.955', videosAtOnce: 5, createsPerMinute: 30 },
  { [month]: '3.2001', [monthAfter(month, -1)]: '19' },
);

test('the SDK reads the limits of its account', async () => {
  const { adminAPIKey, account } = limited;
  const client = new OpenAI({ baseURL: `${service.baseUrl}/v1`, adminAPIKey });
  const { spendLimit, rateLimits } = client.admin.organization.projects;
  assert.deepEqual(await spendLimit.retrieve(account), {
    object: 'project.spend_limit',
    currency: 'USD',
    interval: 'month',
    threshold_amount: 1995.5,
    enforcement: { status: 'inactive' },
    budget: '19.955',
    used: '3.2001',
    resets_at: Date.parse(monthEnd(month)) / 1000,
  });
  // One a page, so that the client pages.
  const rows = await Array.fromAsync(rateLimits.listRateLimits(account, { limit: 1 }));
  assert.deepEqual(
    rows.map(({ model, max_requests_per_1_minute, max_images_per_1_minute, ...row }) => [
      model,
      max_requests_per_1_minute,
      max_images_per_1_minute,
      Reflect.get(row, 'max_videos_at_once'),
    ]),
    [
      [MODEL, 30, undefined, 5],
      [FAST_MODEL, 30, undefined, 5],
      [IMAGE_MODEL, 30, 30, undefined],
    ],
  );
  await assert.rejects(spendLimit.retrieve('other'), { status: 404 });
  await assert.rejects(rateLimits.listRateLimits('other'), { status: 404 });
});

test('an account without limits has no budget and an empty list', async () => {
  const { get } = await open({ monthlyBudget: null });
  const answer = await get('spend_limit');
  assert.deepEqual([answer.status, readError(answer).code], [404, 'not_found']);
  const { body } = await get('rate_limits');
  assert.deepEqual(body, { object: 'list', data: [], first_id: null, last_id: null, has_more: false });
});
