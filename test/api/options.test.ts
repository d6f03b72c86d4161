import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readBody } from '../../functions/platform/body/request-body.ts';
import { readVideoDraft } from '../../functions/videos/api/create-video.ts';
import { resolveVideoRequest, type VideoImages } from '../../functions/videos/domain/video-request.ts';
import { call, MODEL, readError } from '../support/http.ts';
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
  post,
  vendor,
} from '../support/images/requests.ts';
import { imageKind } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';
import { CHAT_OPTIONS, CREATE_OPTIONS, NATIVE_OPTIONS, type Outcome } from './corpus/option-cases.ts';

const service = await openSharedService();

/** The tasks end at once: what is asked here is what was accepted. */
const BASE = { model: MODEL, prompt: 'a quiet harbour [sample: error 400]' };

type Body = Readonly<Record<string, unknown>>;

const toForm = (fields: Body): FormData => {
  const form = new FormData();
  const append = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) append(`${name}[]`, item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) append(`${name}[${key}]`, inner);
    else form.append(name, String(value));
  };
  for (const [name, value] of Object.entries(fields)) append(name, value);
  return form;
};

const ENCODINGS = {
  JSON: (fields: Body) => ({ body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }),
  form: (fields: Body) => ({ body: toForm(fields) }),
} as const;

const describeImages = (images: VideoImages): string => {
  const { mode, firstFrame, lastFrame, references = [] } = { ...NO_IMAGES, ...images };
  return [
    mode,
    ...[firstFrame, lastFrame, ...references].flatMap((image) =>
      image === undefined ? [] : imageKind(image),
    ),
  ].join(' ');
};
const NO_IMAGES = { firstFrame: undefined, lastFrame: undefined, references: undefined };

/** The request that goes on from here, which no answer tells in full. */
const acceptedRequest = async (sent: { body: string | FormData; headers?: Record<string, string> }) => {
  const request = new Request('http://service.test', { method: 'POST', ...sent });
  const bytes = new Uint8Array(await request.arrayBuffer());
  const fields = await readBody(request.headers.get('content-type') ?? undefined, bytes);
  const accepted = resolveVideoRequest(readVideoDraft(fields));
  return { ...accepted, images: describeImages(accepted.images) };
};

describe('an option of a create request', { concurrency: 2 }, () => {
  for (const [options, outcome, encoding = 'both'] of CREATE_OPTIONS)
    for (const name of encoding === 'JSON' ? (['JSON'] as const) : (['JSON', 'form'] as const))
      test(`${JSON.stringify(options).slice(0, 90)} as ${name}`, async () => {
        const sent = ENCODINGS[name]({ ...BASE, ...options });
        const answer = await call(service, 'POST', '/v1/videos', sent);
        await expectOutcome(answer, outcome);
        if ('made' in outcome && outcome.request !== undefined)
          assert.partialDeepStrictEqual(await acceptedRequest(sent), outcome.request);
      });

  const expectOutcome = async (answer: Awaited<ReturnType<typeof call>>, outcome: Outcome): Promise<void> => {
    if ('made' in outcome) {
      assert.deepEqual([answer.status, answer.body.seconds, answer.body.size], [200, ...outcome.made]);
      return;
    }
    const [param, code, says] = outcome.refused;
    const error = readError(answer);
    assert.deepEqual([answer.status, error.param, error.code], [400, param, code]);
    assert.match(error.message, says);
    assert.ok(error.message.startsWith(`${param} `), error.message);
  };
});

describe('an option of an image request', () => {
  const TABLES = [
    ['chat', CHAT, bearer, chatBody, CHAT_OPTIONS],
    ['native', NATIVE, vendor, nativeBody, NATIVE_OPTIONS],
  ] as const;
  for (const [format, path, header, bodyOf, table] of TABLES)
    for (const [options, outcome] of table)
      test(`${JSON.stringify(options).slice(0, 90)}, ${format} format`, async () => {
        const body = { ...bodyOf('a lighthouse'), ...options };
        const answer = await post(service, path, header(service.apiKey), body);
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
  const send = (path: string, body: object) => post(service, path, bearer(service.apiKey), body);

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
      ignored(await send(GENERATIONS, { ...generationBody('a fox'), ...options })),
      'quality, style, moderation, user',
    );
    const edit = { ...editBody('a fox'), input_fidelity: 'high' };
    assert.equal(ignored(await send(EDITS, edit)), 'input_fidelity');
    const config = { imageConfig: { imageSize: '512' }, topK: 40 };
    assert.equal(
      ignored(await send(NATIVE, { ...nativeBody('a fox'), generationConfig: config })),
      'generationConfig.topK',
    );
  });

  test('of a chat, also of a stream', async () => {
    const body = { ...chatBody('a fox'), frequency_penalty: 0, stream: true };
    const response = await fetch(`${service.baseUrl}${CHAT}`, {
      method: 'POST',
      headers: { ...bearer(service.apiKey), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.text();
    assert.deepEqual([response.status, ignored(response)], [200, 'frequency_penalty']);
  });
});
