import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { openSharedService } from '../../support/open-service.ts';

/** What a whole answer of the gateway cannot be: later than 29 seconds, larger than 10 MB. */
const service = await openSharedService();

const native = (text: string, action = 'generateContent') =>
  fetch(`${service.baseUrl}/v1beta/models/${IMAGE_MODEL}:${action}`, {
    method: 'POST',
    headers: { 'x-vendor-api-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ parts: [{ text }] }] }),
  });
const chat = (content: string, fields: object = {}) =>
  fetch(`${service.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: IMAGE_MODEL, messages: [{ role: 'user', content }], ...fields }),
  });

const LARGE = 'A fox [sample: size 25MB]';
const SLOW = 'A fox [sample: delay 31s]';
const ANSWERS = [
  ['a native answer', native],
  ['a native stream', (text: string) => native(text, 'streamGenerateContent?alt=sse')],
  ['a chat completion', chat],
  ['a chat stream', (text: string) => chat(text, { stream: true })],
] as const;

/** Side by side, because some of them wait half a minute. */
describe('the gateway', { concurrency: true }, () => {
  describe('passes', { concurrency: false }, () => {
    for (const [title, ask] of ANSWERS)
      test(`${title} of 25 MB`, async () => {
        const response = await ask(LARGE);
        assert.equal(response.status, 200);
        assert.ok((await response.text()).length > 33_000_000);
      });
  });

  describe('waits 31 seconds for', { concurrency: true }, () => {
    for (const [title, ask] of ANSWERS)
      test(title, async () => {
        const started = Date.now();
        const response = await ask(SLOW);
        const text = await response.text();
        assert.equal(response.status, 200);
        assert.ok(Date.now() - started > 31_000);
        assert.match(text, /\/9j\//);
        if (title === 'a chat stream') assert.ok(text.split(': working\n\n').length >= 5);
      });
  });
});
