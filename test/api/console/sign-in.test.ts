import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '../../../lib/operator/dynamo-client.ts';
import { readError } from '../../support/http.ts';
import { longOr } from '../../support/long-tests.ts';
import { openSharedService } from '../../support/open-service.ts';
import { newToken, redeem, signIn } from '../../support/sessions.ts';

const service = await openSharedService();
const account = `acme-${randomUUID()}`;
const port = new URL(service.baseUrl).port;

describe('a sign-in link', () => {
  test('becomes a session with a cookie that scripts cannot read and other sites do not send', async () => {
    const answer = await redeem(service, await newToken(service, account));
    const { id, object, project_id, created_at, expires_at } = answer.body;
    assert.match(String(id), /^sess_[0-9a-f]{32}$/);
    assert.deepEqual([answer.status, object, project_id], [200, 'console.session', account]);
    assert.equal(Number(expires_at) - Number(created_at), 43_200);
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      new RegExp(
        `^mg-session-${port}=${id}\\.[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000$`,
      ),
    );
  });

  test('has one winner among many who try at once', async () => {
    const token = await newToken(service, account);
    const crowd = longOr(6, 20);
    const answers = await Promise.all(Array.from({ length: crowd }, () => redeem(service, token)));
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter((answer) => answer.status === 400 && readError(answer).param === 'token');
    assert.deepEqual([won.length, lost.length], [1, crowd - 1]);
    assert.ok(lost.every(({ headers }) => !headers.has('set-cookie')));
  });

  test('is not spent by a page of another origin', async () => {
    const token = await newToken(service, account);
    for (const headers of [
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null' },
    ]) {
      const answer = await redeem(service, token, headers);
      assert.deepEqual([answer.status, readError(answer).code], [403, 'insufficient_permissions']);
    }
    assert.equal((await redeem(service, token, {})).status, 200);
  });

  test('leaves neither token nor cookie in the table', async () => {
    const token = await newToken(service, account);
    const { cookie } = await signIn(service, account);
    const { Items } = await dynamoClient(service.operator).send(
      new ScanCommand({ TableName: service.sessionsTable }),
    );
    const stored = JSON.stringify(Items);
    assert.ok(stored.includes(account));
    assert.ok(!stored.includes(token.slice(4, 40)) && !stored.includes(cookie.split('.')[1] ?? ''));
  });
});

test('a signed-in person makes a link for a colleague of the same account', async () => {
  const first = await signIn(service, account);
  const { status, body } = await first.call('POST', '/v1/console/links');
  const [address, token = ''] = String(body.url).split('#');
  assert.deepEqual([status, address], [200, `${service.baseUrl}/console/sign-in`]);
  assert.ok(Math.abs(Number(body.expires_at) - Date.now() / 1000 - 900) < 60);
  assert.equal((await redeem(service, token)).body.project_id, account);
});
