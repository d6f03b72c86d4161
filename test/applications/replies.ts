/** Reads from responses the fields that applications read, and describes the media in them. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { describePicture, picturesIn } from '../support/images/pictures.ts';
import { readDuration } from '../support/mp4.ts';
import { download, type Provider, type Reply } from './application.ts';

export const readJson = <T>(schema: z.ZodType<T>, { status, bytes }: Reply, expected = 200): T => {
  const text = bytes.toString();
  assert.equal(status, expected, text.slice(0, 500));
  return schema.parse(JSON.parse(text));
};

/** Server-sent events as simple readers split them: only lines with data, and comments. */
export const readEvents = <T>(schema: z.ZodType<T>, { status, headers, bytes }: Reply): T[] => {
  const text = bytes.toString();
  assert.equal(status, 200, text.slice(0, 500));
  assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
  const events = text.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'));
  return events
    .map((event) => event.replace(/^(?:event: .*\n)?data: /, ''))
    .filter((data) => data !== '[DONE]')
    .map((data) => schema.parse(JSON.parse(data)));
};

/** Some applications reject null and a missing usage, so this schema does too. */
const imagesReply = z.object({
  created: z.int(),
  data: z.array(z.object({ b64_json: z.string(), url: z.url().optional() })),
  usage: z.object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    total_tokens: z.int(),
    input_tokens_details: z.object({ text_tokens: z.int(), image_tokens: z.int() }),
  }),
});

/** Pictures of the Images API: `image/png 1024x1024`. */
export const readImages = (reply: Reply): string[] =>
  readJson(imagesReply, reply).data.map(({ b64_json }) => describePicture(b64_json));

/** Pictures behind addresses that are fetched without a key. */
export const readImageUrls = async (reply: Reply): Promise<string[]> => {
  const { data } = readJson(z.object({ created: z.int(), data: z.array(z.object({ url: z.url() })) }), reply);
  const pictures = await Promise.all(data.map(({ url }) => download(url)));
  for (const { headers } of pictures) assert.match(headers.get('content-type') ?? '', /^image\//);
  return pictures.map(({ bytes }) => describePicture(bytes.toString('base64')));
};

const responseReply = z.object({
  output: z.array(z.object({ type: z.literal('image_generation_call'), id: z.string(), result: z.string() })),
});

export const readResponse = (reply: Reply): string[] =>
  readJson(responseReply, reply).output.map(({ result }) => describePicture(result));

const responseEvent = z.object({
  type: z.string(),
  item: responseReply.shape.output.element.partial().optional(),
});

/** Pictures of the finished items of a stream. */
export const readResponseStream = (reply: Reply): string[] =>
  readEvents(responseEvent.or(z.object({ type: z.string() })), reply)
    .filter(({ type }) => type === 'response.output_item.done')
    .map((event) => describePicture(responseEvent.parse(event).item?.result ?? ''));

const nativeReply = z.object({
  candidates: z.array(
    z.object({
      content: z.object({
        parts: z.array(
          z.object({
            text: z.string().optional(),
            thought: z.boolean().optional(),
            inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
          }),
        ),
      }),
      finishReason: z.string().optional(),
    }),
  ),
});

const nativePictures = ({ candidates }: z.infer<typeof nativeReply>): string[] =>
  candidates
    .flatMap(({ content }) => content.parts)
    .flatMap(({ thought, inlineData }) =>
      inlineData === undefined || thought === true ? [] : [describePicture(inlineData.data)],
    );

export const readNativeImages = (reply: Reply): string[] => nativePictures(readJson(nativeReply, reply));
export const readNativeStream = (reply: Reply): string[] =>
  readEvents(nativeReply, reply).flatMap(nativePictures);

export const readPredictions = (reply: Reply): string[] =>
  readJson(
    z.object({ predictions: z.array(z.object({ bytesBase64Encoded: z.string(), mimeType: z.string() })) }),
    reply,
  ).predictions.map(({ bytesBase64Encoded }) => describePicture(bytesBase64Encoded));

/** Pictures as Markdown in the text of a chat completion, and not in a list. */
export const readChat = (reply: Reply): string[] => {
  const choice = z.object({ message: z.object({ content: z.string(), images: z.undefined().optional() }) });
  const { choices } = readJson(
    z.object({ object: z.literal('chat.completion'), model: z.string(), choices: z.tuple([choice]) }),
    reply,
  );
  return picturesIn(choices[0].message.content);
};

const chunk = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }) })),
  usage: z.object({ total_tokens: z.int() }).nullish(),
});

export const readChatStream = (reply: Reply): { pictures: string[]; hasUsage: boolean } => {
  const chunks = readEvents(chunk, reply);
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  return { pictures: picturesIn(text), hasUsage: chunks.some(({ usage }) => (usage?.total_tokens ?? 0) > 0) };
};

/** Pictures in the list that some applications read instead of the text. */
export const readChatList = (reply: Reply): string[] => {
  const image = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) });
  const choice = z.object({ message: z.object({ images: z.array(image) }) });
  const { choices } = readJson(z.object({ choices: z.tuple([choice]) }), reply);
  return choices[0].message.images.flatMap(({ image_url }) => picturesIn(image_url.url));
};

export const readModels = (reply: Reply): string[] =>
  readJson(
    z.object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          id: z.string(),
          object: z.literal('model'),
          created: z.number(),
          owned_by: z.string(),
        }),
      ),
    }),
    reply,
  ).data.map(({ id }) => id);

const nativeModel = z.object({
  name: z.string(),
  version: z.string(),
  displayName: z.string(),
  inputTokenLimit: z.number(),
  outputTokenLimit: z.number(),
  supportedGenerationMethods: z.array(z.string()),
});
export const readNativeModels = (reply: Reply) =>
  readJson(z.object({ models: z.array(nativeModel) }), reply).models;

/** Applications wait for seconds between two requests; their number is the only difference. */
const poll = async <T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> => {
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    await sleep(1500);
  }
};

/** Types as a Go client declares them: null counts as absent. */
const video = z.object({
  id: z.string(),
  object: z.literal('video'),
  model: z.string(),
  status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
  progress: z.int(),
  created_at: z.int(),
  completed_at: z.int().nullish(),
  expires_at: z.int().nullish(),
  seconds: z.string(),
  size: z.string(),
  error: z.object({ code: z.string(), message: z.string() }).nullish(),
});

export const readVideo = (reply: Reply): z.infer<typeof video> => readJson(video, reply);

/** The duration of an MP4. */
export const readSeconds = ({ status, headers, bytes }: Reply): number => {
  assert.deepEqual([status, headers.get('content-type')], [200, 'video/mp4']);
  return Number(readDuration(bytes).toFixed(1));
};

/** Polls a video of the OpenAI API and downloads it. */
export const fetchVideo = async (openAi: Provider, created: Reply): Promise<Reply> => {
  const { id } = readVideo(created);
  const { status, error } = await poll(
    async () => readVideo(await openAi.get(`/videos/${id}`)),
    (answer) => answer.status === 'completed' || answer.status === 'failed',
  );
  assert.deepEqual([status, error ?? undefined], ['completed', undefined]);
  return openAi.get(`/videos/${id}/content`);
};

const operation = z.object({
  name: z.string().regex(/^models\/[^/]+\/operations\/[^/]+$/),
  done: z.boolean().optional(),
  response: z
    .object({
      generateVideoResponse: z.object({
        generatedSamples: z.tuple([z.object({ video: z.object({ uri: z.url() }) })]),
      }),
    })
    .optional(),
});

export const readOperation = (reply: Reply): z.infer<typeof operation> => readJson(operation, reply);

const routedVideo = z.looseObject({ id: z.string(), polling_url: z.url(), status: z.string() });

export const readRoutedVideo = (reply: Reply): z.infer<typeof routedVideo> =>
  readJson(routedVideo, reply, 202);

/** Polls an operation with this suffix of the path, and returns the address of the video. */
export const finishOperation = async (google: Provider, started: Reply, query = ''): Promise<string> => {
  const { name } = readOperation(started);
  const { response } = await poll(
    async () => readOperation(await google.get(`/v1beta/${name}${query}`)),
    ({ done }) => done === true,
  );
  return response?.generateVideoResponse.generatedSamples[0].video.uri ?? assert.fail('no video');
};
