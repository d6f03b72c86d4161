import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EarlierCall, keyForCall } from '../../../../functions/agents/usecases/repeated-calls.ts';

const MINUTE = 60_000;
const START = 100 * 2 * MINUTE;
const CALLER = { account: 'tester', keyId: 'key_1' };

/** Makes calls one after another, and says which of them were repeats. */
const callsAt = () => {
  const made = new Map<string, EarlierCall>();
  const call = async (now: number, given: Record<string, unknown> = { prompt: 'a' }, keyId = 'key_1') => {
    const key = await keyForCall(
      { caller: { ...CALLER, keyId }, tool: 'create_video', given, now },
      async (name) => made.get(name),
    );
    assert.ok(key);
    if (!key.isRepeat) made.set(key.idempotencyKey, { createdAt: now, isFinished: false });
    return key;
  };
  const finish = (name: string) => made.set(name, { createdAt: START, isFinished: true });
  return { call, finish };
};

test('an identical call within two minutes has the key of the first', async () => {
  const { call } = callsAt();
  const first = await call(START + 119_000);
  assert.equal(first.isRepeat, false);
  for (const later of [0, 1000, 119_000])
    assert.deepEqual(await call(START + 119_000 + later), { ...first, isRepeat: true }, `after ${later} ms`);
  assert.equal((await call(START + 119_000 + 2 * MINUTE)).isRepeat, false);
});

test('the order of arguments and absent arguments do not matter', async () => {
  const { call } = callsAt();
  await call(START, { prompt: 'a', seconds: 4 });
  assert.equal((await call(START, { seconds: 4, prompt: 'a', seed: undefined })).isRepeat, true);
});

test('another argument or another API key is another call', async () => {
  const { call } = callsAt();
  await call(START);
  assert.equal((await call(START, { prompt: 'b' })).isRepeat, false);
  assert.equal((await call(START, { prompt: 'a' }, 'key_2')).isRepeat, false);
});

test('a key has a digest of the call, its two minutes and its number, up to 20', async () => {
  const { call, finish } = callsAt();
  for (let count = 0; count < 20; count += 1) {
    const { idempotencyKey } = await call(START);
    assert.match(idempotencyKey, new RegExp(`^mcp-[0-9a-f]{32}-100-${count}$`));
    finish(idempotencyKey);
  }
  await assert.rejects(call(START), { code: 'ERR_ASSERTION' });
});
