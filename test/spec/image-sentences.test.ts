/** Sentences about images, each with a request as of curl and, where it has one, of the `openai` SDK. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI, { APIError } from 'openai';
import { describePicture, expectedPicture, IMAGE_MODEL, picturesIn } from '../support/images/pictures.ts';
import {
  bearer,
  CHAT,
  chatBody,
  EDITS,
  GENERATIONS,
  NATIVE,
  nativeBody,
  post,
  vendor,
} from '../support/images/requests.ts';
import { dataUri, file, JPEG, PNG, WEBP } from '../support/images.ts';
import { service } from './requests.ts';

const PROMPT = 'a lighthouse';
const client = new OpenAI({ apiKey: service.apiKey, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });

type Fields = Readonly<Record<string, unknown>>;
/** The pictures of a response, or the field that an error names. */
type Outcome = readonly string[] | { readonly refused: unknown };

const refusal = (error: unknown): Outcome => {
  if (error instanceof APIError && error.status === 400) return { refused: error.param };
  throw error;
};

const asCurl = async (fields: Fields): Promise<Outcome> => {
  const { status, body } = await post(service, CHAT, bearer(service.apiKey), fields);
  if (status === 200) return picturesIn(body.choices[0].message.content);
  assert.equal(status, 400);
  return { refused: body.error.param };
};

/** The SDK sends fields that its types do not have. */
const withSdk = (fields: Fields): Promise<Outcome> =>
  client
    .post<OpenAI.ChatCompletion>('/chat/completions', { body: fields })
    .then(({ choices }) => picturesIn(choices[0]?.message.content), refusal);

const USER = { role: 'user', content: [{ type: 'text', text: PROMPT }] };
const SMALL = { imageConfig: { aspectRatio: '1:1', imageSize: '512' } };
const VALID = { model: IMAGE_MODEL, messages: [USER], extra_body: SMALL };
const { model: _, ...WITHOUT_MODEL } = VALID;
const CONFIG = { aspectRatio: '9:16', imageSize: '512' };
const SQUARE = [expectedPicture('1:1', '512')];
const TALL = [expectedPicture('9:16', '512')];

const CHATS: readonly (readonly [sentence: string, fields: Fields, outcome: Outcome])[] = [
  ['`model` is required', WITHOUT_MODEL, { refused: 'model' }],
  ['`messages` are required', { model: IMAGE_MODEL }, { refused: 'messages' }],
  ['`messages` is an array', { ...VALID, messages: 'x' }, { refused: 'messages' }],
  ['`extra_body.imageConfig.aspectRatio`', { ...VALID, extra_body: { imageConfig: CONFIG } }, TALL],
  [
    '`extra_body.imageConfig.aspectRatio` is a ratio',
    { ...VALID, extra_body: { imageConfig: { aspectRatio: '5:6' } } },
    { refused: 'extra_body.imageConfig.aspectRatio' },
  ],
  [
    '`extra_body.imageConfig.imageSize` is a resolution',
    { ...VALID, extra_body: { imageConfig: { imageSize: '3K' } } },
    { refused: 'extra_body.imageConfig.imageSize' },
  ],
  [
    '`imageConfig` as JSON of a system message',
    { model: IMAGE_MODEL, messages: [{ role: 'system', content: JSON.stringify(CONFIG) }, USER] },
    TALL,
  ],
  ['`content` is a string', { ...VALID, messages: [{ role: 'user', content: PROMPT }] }, SQUARE],
  ['`content` is an array of text', VALID, SQUARE],
  [
    'a system message without `imageConfig`',
    { ...VALID, messages: [{ role: 'system', content: 'Paint.' }, USER] },
    SQUARE,
  ],
  [
    'a user message is the prompt, whatever its words',
    chatBody('Summarize the conversation into a title'),
    SQUARE,
  ],
  ...[1, 100, 1119, 100_000].map(
    (max_tokens) =>
      [`\`max_tokens\` is an integer: ${max_tokens}`, { ...VALID, max_tokens }, SQUARE] as const,
  ),
  ...[0, 1.5, 'many'].map(
    (max_tokens) =>
      [
        `\`max_tokens\` is an integer, not ${max_tokens}`,
        { ...VALID, max_tokens },
        { refused: 'max_tokens' },
      ] as const,
  ),
  ...[0, 0.5, 2].map(
    (temperature) =>
      [`\`temperature\` is a number: ${temperature}`, { ...VALID, temperature }, SQUARE] as const,
  ),
  ['`temperature` is a number, not text', { ...VALID, temperature: 'warm' }, { refused: 'temperature' }],
];

describe('an image of a chat:', { concurrency: 3 }, () => {
  for (const [sentence, fields, outcome] of CHATS) {
    test(`${sentence}, as curl sends it`, async () => assert.deepEqual(await asCurl(fields), outcome));
    test(`${sentence}, as the SDK sends it`, async () => assert.deepEqual(await withSdk(fields), outcome));
  }

  test('`max_tokens` is named as not applied', async () => {
    const answer = await post(service, CHAT, bearer(service.apiKey), { ...VALID, max_tokens: 100 });
    assert.equal(answer.headers.get('x-ignored-parameters'), 'max_tokens');
  });
});

describe('an image of the native format:', { concurrency: 3 }, () => {
  const contents = [{ parts: [{ text: PROMPT }] }];
  const send = async (fields: Fields, headers = vendor(service.apiKey)) => {
    const { status, body } = await post(service, NATIVE, headers, fields);
    if (status !== 200) return status;
    const parts: readonly { inlineData?: { data: string } }[] = body.candidates[0].content.parts;
    return parts.flatMap(({ inlineData }) => (inlineData ? [describePicture(inlineData.data)] : []));
  };
  const config = (imageConfig: object, more: object = {}) => ({
    contents,
    generationConfig: { imageConfig, ...more },
  });
  for (const [sentence, fields, outcome] of [
    ['`aspectRatio` and `imageSize`', config(CONFIG), TALL],
    ['`responseModalities`: `image`', config(CONFIG, { responseModalities: ['image'] }), TALL],
    ['`responseModalities`: `IMAGE`', config(CONFIG, { responseModalities: ['IMAGE'] }), TALL],
    ['`responseModalities` is an array', config(CONFIG, { responseModalities: 'image' }), 400],
    ['`aspectRatio` is a ratio', config({ aspectRatio: '5:6' }), 400],
    ['`imageSize` is a resolution', config({ imageSize: '3K' }), 400],
    ['`contents` is required', {}, 400],
    ['`contents` is an array', { contents: 'x' }, 400],
    ['`contents[].parts` is required', { contents: [{}] }, 400],
    ['`contents[].parts[].text` is a string', { contents: [{ parts: [{ text: 7 }] }] }, 400],
    ['text is the prompt, whatever its words', nativeBody('Summarize the conversation into a title'), SQUARE],
  ] as const)
    test(sentence, async () => assert.deepEqual(await send(fields), outcome));

  test('the key is in `x-vendor-api-key`', async () =>
    assert.deepEqual(await send(config(CONFIG), vendor('wrong')), 401));
});

describe('the model of an image request', () => {
  const images = [{ image_url: dataUri(PNG, 'image/png') }];
  for (const [path, body] of [
    [CHAT, WITHOUT_MODEL],
    [GENERATIONS, { prompt: PROMPT }],
    [EDITS, { prompt: PROMPT, images }],
  ] as const) {
    test(`is required at ${path}`, async () => {
      const answer = await post(service, path, bearer(service.apiKey), body);
      const { param, message } = answer.body.error;
      assert.deepEqual(
        [answer.status, param, message],
        [400, 'model', `model is required: one of ${IMAGE_MODEL}.`],
      );
    });
    test(`is one of the identifiers at ${path}`, async () => {
      const answer = await post(service, path, bearer(service.apiKey), { ...body, model: 'other' });
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'model_not_found']);
    });
  }
});

describe('an image of the SDK:', { concurrency: 3 }, () => {
  const request = { model: IMAGE_MODEL, prompt: PROMPT } as const;
  const read = ({ data }: OpenAI.ImagesResponse) => data?.map(({ b64_json }) => describePicture(b64_json));

  test('is generated', async () => {
    assert.deepEqual(read(await client.images.generate({ ...request, size: '512x512' })), SQUARE);
  });
  for (const [type, bytes] of [
    ['image/jpeg', JPEG],
    ['image/png', PNG],
    ['image/webp', WEBP],
  ] as const)
    test(`is edited from ${type}`, async () => {
      const image = file(bytes, 'input', type);
      assert.deepEqual(read(await client.images.edit({ ...request, image, size: '512x512' })), SQUARE);
    });
  test('needs a key', async () => {
    const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });
    await assert.rejects(stranger.images.generate(request), { status: 401, code: 'invalid_api_key' });
  });
});
