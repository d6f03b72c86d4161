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

/** In Base64, more than the 10 MiB that a response may have if it is not streamed. */
const MEGABYTES = 8;
const MOST_MEGABYTES = 25;
const NATIVE_STREAM = `${NATIVE.replace('generateContent', 'streamGenerateContent')}?alt=sse`;
const ANSWERS = [
  ['a native answer', MOST_MEGABYTES, (text: string) => ask(NATIVE, nativeBody(text))],
  ['a native stream', MEGABYTES, (text: string) => ask(NATIVE_STREAM, nativeBody(text))],
  ['a chat completion', MEGABYTES, (text: string) => ask(CHAT, chatBody(text))],
  ['a chat stream', MEGABYTES, (text: string) => ask(CHAT, { ...chatBody(text), stream: true })],
  ['an answer of the Images API', MEGABYTES, (text: string) => ask(GENERATIONS, generationBody(text))],
  [
    'a stream of the Images API',
    MEGABYTES,
    (text: string) => ask(EDITS, { ...editBody(text), stream: true }),
  ],
] as const;

/** Only streamed responses can exceed 10 MB or 29 s. The tests run in parallel, because they wait that long. */
describe('the gateway passes', { concurrency: true }, () => {
  for (const [title, megabytes, answerTo] of ANSWERS)
    test(`${title} with an image of ${megabytes} MB after 31 seconds`, async () => {
      const started = Date.now();
      const response = await answerTo(`A fox [sample: size ${megabytes}MB] [sample: delay 31s]`);
      const text = await response.text();
      assert.equal(response.status, 200);
      assert.ok(Date.now() - started > 31_000);
      assert.ok(text.length > (megabytes * 1_000_000 * 4) / 3);
      assert.match(text, /\/9j\//);
      if (title === 'a chat stream' || title.startsWith('a stream'))
        assert.ok(text.split(': working\n\n').length >= 5);
    });
});
