import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { resumeAttempt, startAttempt } from '../../../../functions/identity/domain/sign-in-attempt.ts';

const NOW = 1_800_000_000_000;
const start = () => startAttempt({ returnTo: '/console/library', invitation: 'mgi_x' }, NOW);

test('an attempt continues in the browser that has its cookie, for ten minutes', () => {
  const { cookie, attempt } = start();
  assert.deepEqual(resumeAttempt(cookie, attempt.state, NOW + 599_999), attempt);
  assert.deepEqual([attempt.returnTo, attempt.invitation], ['/console/library', 'mgi_x']);
  assert.equal(resumeAttempt(cookie, attempt.state, NOW + 600_000), undefined);
});

test('every attempt has secrets of its own, none of which is in the cookie', () => {
  const { cookie, attempt } = start();
  const { state, nonce, verifier, sessionId } = attempt;
  for (const secret of [state, nonce, verifier]) {
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
    assert.ok(!cookie.includes(secret));
  }
  assert.equal(new Set([state, nonce, verifier, start().attempt.state]).size, 4);
  assert.match(sessionId, /^sess_[0-9a-f]{32}$/);
});

test('another state, another cookie or none is refused', () => {
  const { cookie, attempt } = start();
  for (const [given, state] of [
    [cookie, undefined],
    [cookie, ''],
    [cookie, attempt.nonce],
    [undefined, attempt.state],
    ['', attempt.state],
    [start().cookie, attempt.state],
    ['x'.repeat(5000), attempt.state],
    [`x${cookie}`, attempt.state],
    [`${cookie}.`, attempt.state],
  ] as const)
    assert.equal(resumeAttempt(given, state, NOW), undefined);
});

test('a changed content does not fit the state', () => {
  const { cookie, attempt } = start();
  const [secret] = cookie.split('.');
  const forge = (content: unknown) =>
    `${secret}.${Buffer.from(JSON.stringify(content)).toString('base64url')}`;
  for (const content of [
    [NOW, '/console/other', 'mgi_x'],
    [NOW + 1, '/console/library', 'mgi_x'],
    {},
    null,
    ['x'],
  ])
    assert.equal(resumeAttempt(forge(content), attempt.state, NOW), undefined);
  assert.equal(resumeAttempt(`${secret}.!!`, attempt.state, NOW), undefined);
  assert.equal(resumeAttempt(`${secret}.AAAA`, attempt.state, NOW), undefined);
});

test('a cookie that a browser made up is read only if its content has the right types', () => {
  const secret = 'a'.repeat(43);
  const resume = (content: unknown) => {
    const encoded = Buffer.from(JSON.stringify(content)).toString('base64url');
    const state = createHmac('sha256', secret).update(`state:${encoded}`).digest('base64url');
    return resumeAttempt(`${secret}.${encoded}`, state, NOW);
  };
  for (const content of [[NOW, 1], [String(NOW), '/console'], [NOW], ['/console', NOW]])
    assert.equal(resume(content), undefined);
  for (const invitation of [1, null])
    assert.equal(resume([NOW, '/console', invitation])?.invitation, undefined);
  assert.equal(resume([NOW, '/console', 'mgi_x'])?.returnTo, '/console');
});
