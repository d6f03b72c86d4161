import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI7 from 'openai';
import OpenAI6 from 'openai-6';
import { expectedPicture, IMAGE_MODEL, picturesIn } from '../support/images/pictures.ts';
import { dataUri, PNG } from '../support/images.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

const config = { aspectRatio: '16:9', imageSize: '512' } as const;
const snakeConfig = { aspect_ratio: '16:9', image_size: '512' };
const system = (content: string) => [{ role: 'system', content } as const];
const user = { role: 'user', content: [{ type: 'text', text: 'A fox in the snow' }] } as const;

/** Fields of the body, and messages before the user's. */
const CONFIGURATIONS = [
  ['extra_body.imageConfig', { extra_body: { imageConfig: config } }, []],
  ['imageConfig', { imageConfig: config }, []],
  ['extra_body.google.image_config', { extra_body: { google: { image_config: snakeConfig } } }, []],
  ['a system message', {}, system(JSON.stringify(config))],
] as const;

type Options = { readonly apiKey: string; readonly baseURL: string; readonly maxRetries: number };
type Completion = {
  readonly object: string;
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: { content: string | null };
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly total_tokens: number } | undefined;
};
type Chunk = {
  readonly choices: readonly {
    readonly finish_reason: string | null;
    readonly delta: { readonly role?: string; readonly content?: string | null };
  }[];
  readonly usage?: { readonly completion_tokens: number } | null | undefined;
};
type Client = {
  readonly complete: (body: object) => Promise<Completion>;
  readonly stream: (body: object) => Promise<AsyncIterable<Chunk>>;
};

/** The two releases have incompatible types, so this is their common part. */
const CLIENTS: readonly (readonly [version: string, client: (options: Options) => Client])[] = [
  [
    '7.53.0',
    (options) => {
      const { completions } = new OpenAI7(options).chat;
      return {
        complete: (body) => completions.create({ model: IMAGE_MODEL, messages: [], ...body }),
        stream: (body) => completions.create({ model: IMAGE_MODEL, messages: [], stream: true, ...body }),
      };
    },
  ],
  [
    '6.49.0',
    (options) => {
      const { completions } = new OpenAI6(options).chat;
      return {
        complete: (body) => completions.create({ model: IMAGE_MODEL, messages: [], ...body }),
        stream: (body) => completions.create({ model: IMAGE_MODEL, messages: [], stream: true, ...body }),
      };
    },
  ],
];

for (const [version, create] of CLIENTS)
  describe(`chat images of openai ${version}`, () => {
    const client = () => create({ apiKey: service.apiKey, baseURL: `${service.baseUrl}/v1`, maxRetries: 0 });
    const complete = (fields: object, messages: readonly object[] = [user]) =>
      client().complete({ ...fields, messages });
    const readChunks = async (fields: object, messages: readonly object[] = [user]) => {
      const chunks: Chunk[] = [];
      for await (const chunk of await client().stream({ ...fields, messages })) chunks.push(chunk);
      return chunks;
    };

    for (const [title, fields, messages] of CONFIGURATIONS) {
      test(`receives the configured image with ${title}`, async () => {
        const { choices, usage, object } = await complete(fields, [...messages, user]);
        assert.equal(object, 'chat.completion');
        assert.deepEqual(picturesIn(choices[0]?.message.content), [expectedPicture('16:9', '512')]);
        assert.equal(choices[0]?.finish_reason, 'stop');
        assert.ok((usage?.total_tokens ?? 0) > (usage?.prompt_tokens ?? 0));
      });

      test(`streams the configured image with ${title}`, async () => {
        const chunks = await readChunks(fields, [...messages, user]);
        const content = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
        assert.deepEqual(picturesIn(content), [expectedPicture('16:9', '512')]);
        assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant');
        assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'stop');
      });
    }

    test('receives the image separately from the text with modalities', async () => {
      const fields = { modalities: ['image', 'text'], imageConfig: { aspectRatio: '1:1', imageSize: '512' } };
      const { choices } = await complete(fields);
      const message: object = choices[0]?.message ?? {};
      assert.deepEqual(picturesIn(choices[0]?.message.content), []);
      assert.match(choices[0]?.message.content ?? '', /A fox in the snow/);
      const images: readonly { image_url: { url: string } }[] = Reflect.get(message, 'images');
      assert.deepEqual(
        images.flatMap(({ image_url }) => picturesIn(image_url.url)),
        [expectedPicture('1:1', '512')],
      );
      const deltas = (await readChunks(fields)).map(({ choices: [choice] }): object => choice?.delta ?? {});
      const streamed = deltas.flatMap((delta) => Reflect.get(delta, 'images') ?? []);
      assert.equal(streamed.length, 1);
    });

    test('sends an image, then a follow-up with the previous answer', async () => {
      const first = {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: dataUri(PNG, 'image/png') } }],
      };
      const fields = { imageConfig: { imageSize: '512' } };
      const { choices } = await complete(fields, [first]);
      const again = await complete(fields, [first, choices[0]?.message ?? {}, user]);
      assert.deepEqual(picturesIn(again.choices[0]?.message.content), [expectedPicture('1:1', '512')]);
    });

    test('receives the usage as the last chunk with include_usage', async () => {
      const fields = { stream_options: { include_usage: true }, imageConfig: { imageSize: '512' } };
      const last = (await readChunks(fields)).at(-1);
      assert.deepEqual(last?.choices, []);
      assert.ok((last?.usage?.completion_tokens ?? 0) > 0);
    });

    test('throws an error that arrives in a stream', async () => {
      const blocked = [{ role: 'user', content: 'A fox [sample: blocked IMAGE_SAFETY]' }];
      await assert.rejects(readChunks({}, blocked), { code: 'content_blocked', message: /IMAGE_SAFETY/ });
    });

    test('throws an error with the reason for an invalid streaming request', async () => {
      await assert.rejects(readChunks({ imageConfig: { imageSize: '8K' } }), {
        status: 400,
        param: 'imageConfig.imageSize',
        message: /512, 1K, 2K, 4K/,
      });
    });
  });
