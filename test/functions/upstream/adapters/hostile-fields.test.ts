import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { imageChargeRecord } from '../../../../functions/billing/domain/charges.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { readUpstreamState } from '../../../../functions/upstream/adapters/dynamo-pool.ts';
import { UpstreamError } from '../../../../functions/upstream/domain/faults.ts';
import { coolDownAfter } from '../../../../functions/upstream/domain/upstream-state.ts';
import type { VideoGenerator } from '../../../../functions/upstream/domain/video-generator.ts';
import { geminiClient, geminiImages } from '../../../../functions/upstream/kinds/gemini/adapter.ts';
import { interactionsClient } from '../../../../functions/upstream/kinds/interactions/adapter.ts';
import { openAiClient, openAiImages } from '../../../../functions/upstream/kinds/openai/adapter.ts';
import {
  openRouterClient,
  openRouterImages,
} from '../../../../functions/upstream/kinds/openrouter/adapter.ts';
import { vertexClient, vertexImages } from '../../../../functions/upstream/kinds/vertex/adapter.ts';
import { IMAGE_REQUEST, TEXT_REQUEST } from '../../../support/builders/requests.ts';
import { IMAGE, STANDARD } from '../../../support/builders/upstream.ts';
import { PNG } from '../../../support/images.ts';
import { credentialFrom } from './answering-client.ts';

/**
 * Sends hostile values in every field of an answer. The fields are those that the code reads: a discovery run parses
 * the sample into an object that notes each access, so that a new field is attacked without a change here.
 */

type Document = Readonly<Record<string, unknown>>;
type Path = readonly string[];
type Sample = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Document;
};
type Read = (answering: typeof fetch) => Promise<unknown>;

const HUGE_TEXT = 'A'.repeat(1_000_000);
const HOSTILE: Readonly<Record<string, string>> = {
  huge: '1e308',
  'beyond every number': '1e400',
  unsafe: '9007199254740993',
  negative: '-1',
  fraction: '0.1',
  'no number': 'NaN',
  epoch: '1795000000',
  text: '"soon"',
  'digits in a text': `"${'9'.repeat(400)}"`,
  'control characters': '"a\\u0000\\u001b[31m\\r\\n\\u2028\\u202eb\\ud800"',
  'an address of another protocol': '"file:///etc/passwd"',
  empty: '""',
  null: 'null',
  true: 'true',
  array: '[]',
  'nested array': `${'['.repeat(2000)}${']'.repeat(2000)}`,
  object: '{"toString":1,"__proto__":{"length":-1}}',
  '1 MB': `"${HUGE_TEXT}"`,
  '100 KB': `"${'A'.repeat(100_000)}"`,
};

const modelName = () => 'veo';
const credential = credentialFrom(async () => 'secret');
const token = { read: async () => 'secret', renew: async () => false };
const options = (answering: typeof fetch) => ({
  ...{ name: 'upstream', baseUrl: 'https://upstream.test', keyHeader: 'x-key', storageUri: 'gs://bucket/' },
  ...{ project: 'acme', location: 'us-central1', credential, token, modelName, fetch: answering },
});

const OPERATION = 'projects/acme/locations/us-central1/publishers/google/models/veo/operations/1';
const filtered = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Unsafe.'] };
const job = (change: Document) => ({
  body: { id: 'video_1', task_id: 'video_1', status: 'completed', usage: { cost: 0.4 }, ...change },
});
const JOBS: readonly Sample[] = [
  job({ unsigned_urls: ['https://upstream.test/videos/video_1/content'] }),
  job({ status: 'failed', error: { error: { code: 'invalid_request', type: 'x', message: 'No.' } } }),
  job({ status: 'failed', error: { code: 'invalid_request', message: 'No.' } }),
];
const operation = (change: Document) => ({ body: { name: OPERATION, done: true, ...change } });
const OPERATIONS: readonly Sample[] = [
  operation({ error: { code: 3, message: 'No.' } }),
  operation({ response: { videos: [{ gcsUri: 'gs://bucket/1.mp4' }], ...filtered } }),
  operation({ response: { videos: [{ bytesBase64Encoded: 'QUJD' }] } }),
  operation({ response: { generateVideoResponse: { ...filtered, generatedSamples: [] } } }),
  operation({
    response: {
      generateVideoResponse: { generatedSamples: [{ video: { uri: 'https://upstream.test/1' } }] },
    },
  }),
];
const interaction = (change: Document) => ({ body: { id: 'v1_1', status: 'completed', ...change } });
const said = (content: Document) => ({ steps: [{ type: 'model_output', content: [content] }] });
const INTERACTIONS: readonly Sample[] = [
  interaction(said({ type: 'video', uri: 'https://upstream.test/v1beta/files/a:download' })),
  interaction(said({ type: 'text', text: 'No.' })),
  interaction({ status: 'failed', error: { code: 'invalid_request', message: 'No.' } }),
  interaction({ status: 'failed', errors: [{ code: 'invalid_request', message: 'No.' }] }),
];

const VIDEOS: Readonly<
  Record<
    string,
    {
      readonly create: (answering: typeof fetch) => VideoGenerator;
      readonly samples: readonly Sample[];
      readonly operation: string;
    }
  >
> = {
  gemini: { create: (f) => geminiClient(options(f)).videos(1000), samples: OPERATIONS, operation: OPERATION },
  vertex: { create: (f) => vertexClient(options(f)).videos(1000), samples: OPERATIONS, operation: OPERATION },
  interactions: {
    create: (f) => interactionsClient(options(f)).videos(1000),
    samples: INTERACTIONS,
    operation: 'v1_1',
  },
  openrouter: {
    create: (f) => openRouterClient(options(f)).videos(1000),
    samples: JOBS,
    operation: 'video_1',
  },
  openai: {
    create: (f) => openAiClient({ ...options(f), options: 'metadata' }).videos(1000),
    samples: JOBS,
    operation: 'video_1',
  },
};

const data = Buffer.from(PNG).toString('base64');
const native = (change: Document): Sample => ({ body: { ...change } });
const NATIVE_IMAGES: readonly Sample[] = [
  native({
    candidates: [
      {
        content: { parts: [{ text: 'Here.', thought: false, inlineData: { mimeType: 'image/png', data } }] },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      ...{ promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 6 },
      promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 1 }],
    },
  }),
  native({ candidates: [{ finishReason: 'SAFETY', finishMessage: 'No.' }] }),
  native({ promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'No.' } }),
];
const CHAT_IMAGES: readonly Sample[] = [
  {
    body: {
      id: 'gen-1',
      choices: [
        {
          message: { content: 'Here.', images: [{ image_url: { url: `data:image/png;base64,${data}` } }] },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: 0.04 },
    },
  },
  {
    body: { choices: [{ message: { content: [{ text: 'No.' }], refusal: 'No.' }, finish_reason: 'length' }] },
  },
];
const API_IMAGES: readonly Sample[] = [
  {
    body: {
      data: [{ b64_json: data }],
      usage: {
        ...{ input_tokens: 1, output_tokens: 2, total_tokens: 3 },
        input_tokens_details: { image_tokens: 1 },
      },
    },
  },
];
const IMAGES = {
  gemini: { create: geminiImages, samples: NATIVE_IMAGES },
  vertex: { create: vertexImages, samples: NATIVE_IMAGES },
  openrouter: { create: openRouterImages, samples: CHAT_IMAGES },
  openai: { create: openAiImages, samples: API_IMAGES },
} as const;

/** The forms in which upstreams refuse a call. */
const detail = {
  reason: 'RATE_LIMIT_EXCEEDED',
  retryDelay: '34s',
  violations: [{ quotaId: 'CallsPerMinute' }],
};
const refusals = (status: number): readonly Sample[] => {
  const error = { code: 'rate_limit_exceeded', type: 'x', status: 'RESOURCE_EXHAUSTED', message: 'No.' };
  const metadata = { reasons: ['violence'], flagged_input: 'x' };
  return [
    {
      status,
      headers: { 'retry-after': '5', location: '/x' },
      body: { error: { ...error, details: [detail], metadata } },
    },
    { status, body: { message: 'No.' } },
  ];
};
const REFUSALS = [400, 429].flatMap(refusals);

const PLACEHOLDER = '"@hostile"';

const withValue = (document: unknown, [name, ...rest]: Path, value: unknown): unknown => {
  if (name === undefined) return value;
  const fields: Record<string, unknown> = { ...Object(document) };
  const changed = withValue(fields[name], rest, value);
  return Array.isArray(document)
    ? document.map((element, index) => (String(index) === name ? changed : element))
    : { ...fields, [name]: changed };
};

const toResponse = ({ status = 200, headers = {} }: Sample, body: string): Response =>
  new Response(body, { status, headers });

const answering =
  (respond: () => Response): typeof fetch =>
  async () =>
    respond();

/** Notes the path of every property that is read, also of those that are missing. */
const noteReads = (value: unknown, path: Path, seen: Set<string>): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || typeof found === 'function') return found;
      const isElement = !Array.isArray(target) || /^\d+$/.test(name);
      if (isElement) seen.add([...path, name].join('\n'));
      return noteReads(found, [...path, name], seen);
    },
  });
};

const findFields = async (sample: Sample, read: Read): Promise<readonly Path[]> => {
  const seen = new Set<string>();
  const parse = JSON.parse;
  const mocked = mock.method(JSON, 'parse', (text: string) => noteReads(parse(text), [], seen));
  await read(answering(() => toResponse(sample, JSON.stringify(sample.body)))).catch(() => {});
  mocked.mock.restore();
  return [...seen].map((path) => path.split('\n'));
};

type Attack = { readonly title: string; readonly respond: () => Response };

const attacksOn = async (sample: Sample, read: Read): Promise<readonly Attack[]> => {
  const fields = await findFields(sample, read);
  assert.ok(fields.length > 0, 'the code reads no field of the sample');
  const bodies = [[], ...fields].flatMap((path) => {
    const [before = '', after = ''] = JSON.stringify(withValue(sample.body, path, '@hostile')).split(
      PLACEHOLDER,
    );
    return Object.entries(HOSTILE).map(([name, value]) => ({
      title: `${path.join('.')}: ${name}`,
      respond: () => toResponse(sample, `${before}${value}${after}`),
    }));
  });
  const headers = Object.keys(sample.headers ?? {}).flatMap((header) =>
    ['-1', '1e13', '9000000000000', '1795000000', '9'.repeat(400), 'NaN', 'soon', 'http://[', HUGE_TEXT].map(
      (value) => ({
        title: `${header}: ${value.slice(0, 20)}`,
        respond: () =>
          toResponse(
            { ...sample, headers: { ...sample.headers, [header]: value } },
            JSON.stringify(sample.body),
          ),
      }),
    ),
  );
  return [...bodies, ...headers];
};

const NOW = Date.now();
const LONGEST_PAUSE = 24 * 3_600_000;
const UNSAFE = /[\p{Cc}\u2028\u2029]/u;

/** The pause that a failure causes can be stored and read, and ends within a day. */
const checkFailure = (error: unknown): void => {
  assert.ok(error instanceof UpstreamError, `no failure of the upstream: ${error}`);
  assert.doesNotMatch(error.message, UNSAFE);
  assert.ok(error.message.length <= 1000);
  const seconds = error.retryAfterSeconds ?? 0;
  assert.ok(seconds >= 0 && seconds * 1000 <= LONGEST_PAUSE, `asks for ${seconds} seconds`);
  const { coolDown } = coolDownAfter(error, 'm', NOW) ?? {};
  if (coolDown === undefined) return;
  assert.deepEqual(readUpstreamState(encode({ 'cool_down/m': coolDown })).unreadable, []);
  assert.ok(coolDown.until <= NOW + LONGEST_PAUSE);
};

const isCost = (cost: { readonly amount: string } | undefined): boolean =>
  cost === undefined || (/^\d{1,6}(?:\.\d{1,9})?$/.test(cost.amount) && Number(cost.amount) < 1_000_000);

const checkVideo = async (generator: VideoGenerator, operationName: string): Promise<void> => {
  const state = await generator.check(operationName);
  if (state.state === 'failed') {
    assert.doesNotMatch(state.error.message, UNSAFE);
    assert.ok(state.error.message.length <= 500 && state.error.message !== '');
  } else if (state.state === 'done') {
    assert.ok(isCost(state.cost), state.cost?.amount);
    if (state.source.kind === 'address') assert.ok(state.source.uri.length <= 8192);
  }
};

const PRICES = { currency: 'USD', videoSecond: {}, image: { '2K': '0.10' } };
const CHARGE = {
  account: 'a',
  keyId: 'k',
  personId: undefined,
  requestId: 'r',
  upstream: 'u',
  time: NOW,
} as const;

const checkImage = async (generator: ReturnType<typeof geminiImages>): Promise<void> => {
  const answer = await generator.generate(IMAGE_REQUEST, { timeoutMs: 1000 });
  if (answer.outcome === 'no_image') return assert.ok(answer.reason.length <= 500);
  const { tokens, cost, promptImageTokens = 0, image } = answer;
  for (const count of [...Object.values(tokens), promptImageTokens])
    assert.ok(Number.isSafeInteger(count) && count >= 0 && count <= 3e9, `counts ${count}`);
  assert.ok(isCost(cost), cost?.amount);
  assert.match(image.mimeType, /^image\/[\w.+-]{1,50}$/);
  const record = imageChargeRecord(
    { ...CHARGE, model: IMAGE, size: '2K', upstreamCost: cost, tokens },
    PRICES,
  );
  assert.equal(record.amount, '0.10');
  assert.ok(JSON.stringify(encode({ ...record, tokens })).length < 2000);
};

/** Every attack in turn; the titles of those that did more than fail in a known way. */
const attack = async (samples: readonly Sample[], read: Read): Promise<void> => {
  for (const sample of samples)
    for (const { title, respond } of await attacksOn(sample, read))
      try {
        await read(answering(respond));
      } catch (error) {
        assert.doesNotThrow(() => {
          if (error instanceof assert.AssertionError) throw error;
          checkFailure(error);
        }, `${title}: ${error}`);
      }
};

describe('hostile fields in the answers of an upstream', () => {
  for (const [kind, { create, samples, operation: name }] of Object.entries(VIDEOS)) {
    test(`of the kind ${kind} cannot make a submit store more than a name`, () =>
      attack(samples.slice(0, 1), async (f) => {
        const started = await create(f).submit({ ...TEXT_REQUEST, model: STANDARD, mode: 'text' }, [], 'key');
        assert.match(started, /^[\x21-\x7e]{1,1024}$/);
      }));

    test(`of the kind ${kind} end a check in a known way`, () =>
      attack(samples, (f) => checkVideo(create(f), name)));
  }

  for (const [kind, { create, samples }] of Object.entries(IMAGES))
    test(`of the kind ${kind} leave the charge of an image as it is`, () =>
      attack(samples, (f) => checkImage(create(options(f)))));

  // All kinds read refusals by the same code.
  test('that refuses a call pause it for a day at most', () =>
    attack(REFUSALS, (f) => checkImage(openAiImages(options(f)))));
});

/** Its reader must cancel it. */
const endless = (chunk: Uint8Array) => {
  const seen = { bytes: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        seen.bytes += chunk.length;
        controller.enqueue(chunk);
      },
      cancel: () => {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, body };
};

const MEGABYTE = 1024 * 1024;
const MANY = 250_000;

describe('a hostile body', () => {
  const readers = [
    ...Object.entries(IMAGES).map(
      ([kind, { create }]) =>
        [
          `of an image of the kind ${kind}`,
          (f: typeof fetch) => create(options(f)).generate(IMAGE_REQUEST, { timeoutMs: 60_000 }),
          64 * MEGABYTE,
        ] as const,
    ),
    ...Object.entries(VIDEOS).map(
      ([kind, { create }]) =>
        [
          `of a submit of the kind ${kind}`,
          (f: typeof fetch) => create(f).submit({ ...TEXT_REQUEST, model: STANDARD }, [], 'key'),
          1_000_000,
        ] as const,
    ),
  ];
  for (const [title, read, most] of readers) {
    test(`${title} is not read beyond ${most} bytes`, async () => {
      const { seen, body } = endless(Buffer.alloc(MEGABYTE, 'QUJD'));
      await assert.rejects(read(answering(() => new Response(body))), /is too large/);
      assert.ok(seen.isCancelled && seen.bytes <= most + MEGABYTE, `${seen.bytes} bytes are read`);
    });

    test(`${title} is not parsed with a quarter of a million values`, async () => {
      const documents = ['[', '{"a":', `[${'1,'.repeat(MANY)}`].map((start) =>
        start.length > MANY ? start : start.repeat(MANY),
      );
      for (const document of documents) {
        if (document.length > most) continue;
        const respond = answering(() => new Response(document));
        await assert.rejects(read(respond), /has too many values/);
      }
    });
  }
});
