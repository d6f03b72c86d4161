import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  bearer,
  CHAT,
  chatBody,
  EDITS,
  editBody,
  GENERATIONS,
  generationBody,
  NATIVE,
  nativeBody,
  vendor,
} from '../../support/images/requests.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();

const ask = (path: string, body: object) =>
  fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...vendor(service.apiKey),
      ...bearer(service.apiKey),
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

/** Of a response that is not streamed. */
const GATEWAY_LIMIT = 10 * 1024 * 1024;
const LARGE_AND_SLOW = 'A fox [sample: size 8MB] [sample: delay 31s]';
const NATIVE_STREAM = `${NATIVE.replace('generateContent', 'streamGenerateContent')}?alt=sse`;
const ANSWERS = [
  ['a native answer', (text: string) => ask(NATIVE, nativeBody(text))],
  ['a native stream', (text: string) => ask(NATIVE_STREAM, nativeBody(text))],
  ['a chat completion', (text: string) => ask(CHAT, chatBody(text))],
  ['a chat stream', (text: string) => ask(CHAT, { ...chatBody(text), stream: true })],
  ['an answer of the Images API', (text: string) => ask(GENERATIONS, generationBody(text))],
  ['a stream of the Images API', (text: string) => ask(EDITS, { ...editBody(text), stream: true })],
] as const;

/** Only streamed responses can exceed 10 MB or 29 s. The tests run in parallel, because they wait that long. */
describe('the gateway passes', { concurrency: true }, () => {
  for (const [title, answerTo] of ANSWERS)
    test(`${title} of more than 10 MB after 31 seconds`, async () => {
      const started = Date.now();
      const response = await answerTo(LARGE_AND_SLOW);
      const text = await response.text();
      assert.equal(response.status, 200);
      assert.ok(Date.now() - started > 31_000);
      assert.ok(text.length > GATEWAY_LIMIT);
      assert.match(text, /\/9j\//);
      if (title === 'a chat stream' || title.startsWith('a stream'))
        assert.ok(text.split(': working\n\n').length >= 5);
    });

  test('an answer of 33 MB', async () => {
    const response = await ask(NATIVE, nativeBody('A fox [sample: size 25MB]'));
    assert.equal(response.status, 200);
    assert.ok((await response.text()).length > 33_000_000);
  });
});
