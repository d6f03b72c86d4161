import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import { Webhook } from 'standardwebhooks';
import {
  newSigningSecret,
  signatureHeaders,
  toSecretHint,
} from '../../../../functions/webhooks/domain/webhook-signature.ts';

const SECRET = newSigningSecret();
const OLD_SECRET = newSigningSecret();
const BODY = '{"id":"evt_1","object":"event","type":"video.completed","data":{"id":"task_ä"}}';

type Verify = (body: string, headers: Record<string, string>, secret: string) => Promise<unknown>;
const options = { apiKey: 'none' };
const VERIFIERS: readonly (readonly [name: string, verify: Verify])[] = [
  ['standardwebhooks', async (body, headers, secret) => new Webhook(secret).verify(body, headers)],
  ['openai 7', (body, headers, secret) => new OpenAI(options).webhooks.unwrap(body, headers, secret)],
  ['openai 6', (body, headers, secret) => new OpenAI6(options).webhooks.unwrap(body, headers, secret)],
];

const sign = (secret: string, oldUntil?: number, now = Date.now()) =>
  signatureHeaders(
    [{ secret, oldSecret: oldUntil === undefined ? undefined : { value: OLD_SECRET, until: oldUntil } }],
    { id: 'evt_1', body: BODY },
    now,
  );

for (const [name, verify] of VERIFIERS)
  test(`${name} accepts what was signed, and with the old secret only while it is kept`, async () => {
    assert.deepEqual(await verify(BODY, sign(SECRET), SECRET), JSON.parse(BODY));
    await assert.rejects(verify(`${BODY} `, sign(SECRET), SECRET));
    const kept = sign(SECRET, Date.now() + 60_000);
    assert.ok(await verify(BODY, kept, SECRET));
    assert.ok(await verify(BODY, kept, OLD_SECRET));
    const over = sign(SECRET, Date.now() - 1);
    assert.ok(await verify(BODY, over, SECRET));
    for (const headers of [over, sign(SECRET)]) await assert.rejects(verify(BODY, headers, OLD_SECRET));
  });

test('a message is accepted with the secret of each of its signers', async () => {
  const signers = [SECRET, OLD_SECRET].map((secret) => ({ secret }));
  const headers = signatureHeaders(signers, { id: 'evt_1', body: BODY }, Date.now());
  for (const [, verify] of VERIFIERS)
    for (const { secret } of signers) assert.ok(await verify(BODY, headers, secret));
  assert.equal(signatureHeaders([], { id: 'evt_1', body: BODY }, 0)['webhook-signature'], '');
});

test('the signature matches the example of Standard Webhooks', () => {
  const headers = signatureHeaders(
    [{ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', oldSecret: undefined }],
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
    1_614_265_330_999,
  );
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a signing secret is 32 bytes in Base64, and its hint is the last five characters', () => {
  const secret = newSigningSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(toSecretHint('whsec_abcdefghijk='), 'whsec_…hijk=');
});
