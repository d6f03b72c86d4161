import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { someVideoRequests } from '../cases/video-requests.ts';
import { call, HELD_BACK, MODEL, readError } from '../support/http.ts';
import * as images from '../support/images/requests.ts';
import { longOr } from '../support/long-tests.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

/** The tasks wait: what is asked here is what was accepted. */
const BASE = { model: MODEL, prompt: HELD_BACK };

/** One in forty: a unit test sends them all to the same reader. */
const SOME = someVideoRequests(BASE, longOr(40, 1));

describe('a create request', { concurrency: 2 }, () => {
  for (const one of SOME)
    test(one.title, async () => {
      const answer = await call(service, 'POST', '/v1/videos', one.sent);
      if ('accepted' in one) {
        assert.deepEqual([answer.status, answer.body.seconds, answer.body.size], [200, ...one.accepted]);
        return;
      }
      const { param, code, says } = one.refused;
      const error = readError(answer);
      assert.deepEqual([answer.status, error.param, error.code], [one.status ?? 400, param, code]);
      assert.match(error.message, new RegExp(says));
    });
});

type ImageOutcome = 'made' | readonly [param: string, says: RegExp];

const CHAT_OPTIONS: readonly (readonly [Readonly<Record<string, unknown>>, ImageOutcome])[] = [
  [{ tools: [], response_format: { type: 'text' }, n: 1, user: 'u', safety_identifier: 's' }, 'made'],
  [{ tools: null, response_format: null, metadata: { any: 'thing' }, tool_choice: 'none' }, 'made'],
  [{ tools: [{ type: 'function', function: { name: 'f' } }] }, ['tools', /calls no tools/]],
  [{ tools: {} }, ['tools', /not supported/]],
  [{ functions: [{ name: 'f' }] }, ['functions', /not supported/]],
  [{ response_format: { type: 'json_object' } }, ['response_format.type', /must be text/]],
  [{ response_format: { type: 'json_schema', json_schema: {} } }, ['response_format.type', /must be text/]],
  [{ response_format: {} }, ['response_format.type', /must be text/]],
  [{ response_format: 'text' }, ['response_format', /object/]],
  [{ n: 2 }, ['n', /must be 1/]],
];

const HARASSMENT = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' };

const NATIVE_OPTIONS: readonly (readonly [Readonly<Record<string, unknown>>, ImageOutcome])[] = [
  [{ safetySettings: [HARASSMENT], tools: [], labels: { team: 'a' } }, 'made'],
  [{ tools: [{ googleSearch: {} }] }, ['tools', /calls no tools/]],
  [{ cachedContent: 'cachedContents/1' }, ['cachedContent', /send the contents themselves/]],
  [{ cached_content: 'cachedContents/1' }, ['cached_content', /send the contents themselves/]],
  [{ safetySettings: [{ category: 'x' }] }, ['safetySettings[0].threshold', /is required/]],
];

describe('an option of an image request', () => {
  const TABLES = [
    ['chat', images.CHAT, images.bearer, images.chatBody, CHAT_OPTIONS],
    ['native', images.NATIVE, images.vendor, images.nativeBody, NATIVE_OPTIONS],
  ] as const;
  for (const [format, path, header, bodyOf, table] of TABLES)
    for (const [options, outcome] of table)
      test(`${JSON.stringify(options).slice(0, 90)}, ${format} format`, async () => {
        const body = { ...bodyOf('a lighthouse'), ...options };
        const answer = await images.post(service, path, header(service.apiKey), body);
        if (outcome === 'made') {
          assert.equal(answer.status, 200);
          return;
        }
        const [param, says] = outcome;
        assert.equal(answer.status, 400);
        assert.match(answer.body.error.message, says);
        assert.ok(answer.body.error.message.startsWith(`${param} `), answer.body.error.message);
      });
});

describe('a field that is not applied is named in x-ignored-parameters', () => {
  const ignored = ({ headers }: { readonly headers: Headers }) => headers.get('x-ignored-parameters');
  const send = (path: string, body: object) =>
    images.post(service, path, images.bearer(service.apiKey), body);

  test('of a video', async () => {
    const body = { ...BASE, user: 'u', audio: true, metadata: { 'campaign, ü': 'spring', user: 'u' } };
    assert.equal(
      ignored(await send('/v1/videos', body)),
      'user, metadata.campaign%2C%20%C3%BC, metadata.user',
    );
    assert.equal(ignored(await send('/v1/videos', BASE)), null);
  });

  test('of an image', async () => {
    const options = { quality: 'hd', style: 'vivid', moderation: 'low', background: 'opaque', user: 'u' };
    assert.equal(
      ignored(await send(images.GENERATIONS, { ...images.generationBody('a fox'), ...options })),
      'quality, style, moderation, user',
    );
    const edit = { ...images.editBody('a fox'), input_fidelity: 'high' };
    assert.equal(ignored(await send(images.EDITS, edit)), 'input_fidelity');
    const config = { imageConfig: { imageSize: '512' }, topK: 40 };
    assert.equal(
      ignored(await send(images.NATIVE, { ...images.nativeBody('a fox'), generationConfig: config })),
      'generationConfig.topK',
    );
  });

  test('of a chat, also of a stream', async () => {
    const body = { ...images.chatBody('a fox'), frequency_penalty: 0, stream: true };
    const response = await fetch(`${service.baseUrl}${images.CHAT}`, {
      method: 'POST',
      headers: { ...images.bearer(service.apiKey), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.text();
    assert.deepEqual([response.status, ignored(response)], [200, 'frequency_penalty']);
  });
});
