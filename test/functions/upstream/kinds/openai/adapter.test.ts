import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LoadedInput } from '../../../../../functions/upstream/domain/video-generator.ts';
import { openAiClient } from '../../../../../functions/upstream/kinds/openai/adapter.ts';
import type { OptionStyle } from '../../../../../functions/upstream/kinds/openai/declaration.ts';
import type { TaskRequest } from '../../../../../functions/videos/domain/task.ts';
import { aTask } from '../../../../support/builders/task.ts';
import { wholeMp4 } from '../../../../support/sample-video.ts';
import { credentialFrom } from '../../adapters/answering-client.ts';
import { readForm, rotatingCredential, startRecorder } from '../../adapters/recording-server.ts';
import { file, json, reset } from '../../adapters/upstream-answers.ts';

/** A job of the form of OpenAI's SDK. */
const VIDEO = {
  id: 'video_68d7',
  object: 'video',
  model: 'veo',
  status: 'queued',
  progress: 0,
  created_at: 1_760_000_000,
  completed_at: null,
  expires_at: null,
  seconds: '6',
  size: '1280x720',
  prompt: 'a lighthouse',
  remixed_from_video_id: null,
  error: null,
};

type Options = { readonly style?: OptionStyle; readonly credential?: ReturnType<typeof credentialFrom> };

/** A client of a server below /base, whose only model is `veo`. */
const videosAt = (
  url: string,
  { style = 'none', credential = credentialFrom(async () => 'secret') }: Options = {},
) =>
  openAiClient({
    baseUrl: `${url}/base`,
    options: style,
    credential,
    modelName: () => 'veo',
    fetch,
  }).videos(20_000);

/** A request without options that the API does not have. */
const PLAIN: TaskRequest = { ...aTask().request, seed: undefined };

const input = (role: LoadedInput['role'], byte: number): LoadedInput => ({
  role,
  mimeType: byte % 2 === 0 ? 'image/jpeg' : 'image/png',
  bytes: Uint8Array.of(byte),
});

const WITH_OPTIONS: Partial<TaskRequest> = { negativePrompt: 'fog', seed: 0 };

describe('a request of the Videos API', () => {
  const submit = async (
    style: OptionStyle,
    change: Partial<TaskRequest> = {},
    inputs: readonly LoadedInput[] = [],
  ) => {
    await using server = await startRecorder(json(200, VIDEO));
    const operation = await videosAt(server.url, { style }).submit({ ...PLAIN, ...change }, inputs, 'task_1');
    assert.equal(operation, 'video_68d7');
    const recorded = server.only();
    const form = await readForm(recorded);
    const fields = [...form].map(([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, value.type, value.size],
    );
    return { recorded, form, fields };
  };
  const BASE = [
    ['model', 'veo'],
    ['prompt', 'a lighthouse'],
    ['seconds', '6'],
    ['size', '1280x720'],
  ];
  const FIRST = ['input_reference', 'image-1.png', 'image/png', 1];

  const metadata = (options: object) => [
    ['metadata', JSON.stringify({ durationSeconds: 6, resolution: '720p', aspectRatio: '16:9', ...options })],
  ];
  const topLevel = [
    ['resolution', '720p'],
    ['aspectRatio', '16:9'],
  ];
  for (const [style, change, inputs, more] of [
    ['none', {}, [], []],
    ['none', {}, [input('first_frame', 1)], [FIRST]],
    ['metadata', {}, [], metadata({})],
    ['metadata', WITH_OPTIONS, [], metadata({ negativePrompt: 'fog', seed: 0 })],
    ['metadata', { seed: 7 }, [input('first_frame', 1)], [...metadata({ seed: 7 }), FIRST]],
    ['top-level', {}, [], topLevel],
    ['top-level', WITH_OPTIONS, [], [...topLevel, ['negative_prompt', 'fog'], ['seed', '0']]],
    ['media-generation', WITH_OPTIONS, [], metadata({ negativePrompt: 'fog', seed: 0 })],
    [
      'media-generation',
      {},
      [input('first_frame', 1), input('last_frame', 2)],
      [...metadata({}), FIRST, ['last_frame', 'image-2.jpeg', 'image/jpeg', 1]],
    ],
    [
      'media-generation',
      {},
      [input('reference', 1), input('reference', 2), input('reference', 3)],
      [
        ...metadata({}),
        ['reference_images', 'image-1.png', 'image/png', 1],
        ['reference_images', 'image-2.jpeg', 'image/jpeg', 1],
        ['reference_images', 'image-3.png', 'image/png', 1],
      ],
    ],
  ] as const)
    test(`with the options ${style}, ${JSON.stringify(change)} and ${inputs.length} images has these fields`, async () =>
      assert.deepEqual((await submit(style, change, inputs)).fields, [...BASE, ...more]));

  test('without a prompt has no such field', async () => {
    const { form } = await submit('none', { prompt: '' }, [input('first_frame', 1)]);
    assert.equal(form.has('prompt'), false);
  });

  for (const [style, change, inputs] of [
    ['none', { seed: 0 }, []],
    ['none', { negativePrompt: 'fog' }, []],
    ['none', {}, [input('first_frame', 1), input('last_frame', 2)]],
    ['metadata', {}, [input('first_frame', 1), input('last_frame', 2)]],
    ['metadata', {}, [input('reference', 1)]],
    ['top-level', {}, [input('reference', 1)]],
  ] as const)
    test(`is not sent if the options ${style} cannot express it: ${JSON.stringify([change, inputs.map(({ role }) => role)])}`, async () => {
      await using server = await startRecorder(json(200, VIDEO));
      const videos = videosAt(server.url, { style });
      await assert.rejects(videos.submit({ ...PLAIN, ...change }, inputs, 'key'), {
        fault: 'operator',
        message: `The option style ${style} of the upstream has no field for an option of the request.`,
      });
      assert.equal(server.seen.length, 0);
    });

  test('has the same idempotency key and fields when it is repeated, also with a rotated key', async () => {
    await using server = await startRecorder(json(401, {}), reset, json(200, VIDEO));
    const videos = videosAt(server.url, { credential: rotatingCredential('old', 'new') });
    const bytes = Buffer.alloc(200_000, 7);
    const images = [{ ...input('first_frame', 1), bytes }];
    await assert.rejects(videos.submit(PLAIN, images, 'task_1'), { fault: 'unanswered' });
    assert.equal(await videos.submit(PLAIN, images, 'task_1'), 'video_68d7');
    assert.deepEqual(
      server.seen.map(({ authorization, headers }) => [authorization, headers['idempotency-key']]),
      [
        ['Bearer old', 'task_1'],
        ['Bearer new', 'task_1'],
        ['Bearer new', 'task_1'],
      ],
    );
    for (const recorded of server.seen) {
      const image = (await readForm(recorded)).get('input_reference');
      assert.ok(image instanceof File && Buffer.from(await image.bytes()).equals(bytes));
    }
  });
});

describe('the answer of a server of the Videos API', () => {
  const submit = async (status: number, answer: object) => {
    await using server = await startRecorder(json(status, answer));
    return await videosAt(server.url).submit(PLAIN, [], 'key');
  };
  const OPAQUE = `video_${'bGl0ZWxsbQ=='.repeat(20)}`;

  for (const [title, status, answer, operation] of [
    ['200', 200, VIDEO, 'video_68d7'],
    ['202', 202, VIDEO, 'video_68d7'],
    ['a task_id', 200, { task_id: 'task_1', status: 'queued' }, 'task_1'],
    ['both ids', 200, { id: 'one', task_id: 'two' }, 'one'],
    ['a long opaque id', 200, { id: OPAQUE }, OPAQUE],
  ] as const)
    test(`with ${title} names the operation`, async () =>
      assert.equal(await submit(status, answer), operation));

  for (const id of [undefined, null, '', 7, '..', '.', '/x', 'a b', 'a\n', 'ä', 'a'.repeat(1025)])
    test(`counts as unanswered with the id ${JSON.stringify(id)?.slice(0, 20)}`, async () =>
      assert.rejects(submit(200, { id }), { fault: 'unanswered' }));
});

describe('a job of the Videos API', () => {
  test('is looked up by its id, and has the address of its content', async () => {
    await using server = await startRecorder(json(200, VIDEO), json(200, { ...VIDEO, status: 'completed' }));
    const videos = videosAt(server.url);
    assert.deepEqual(await videos.check('video_68d7'), { state: 'pending' });
    assert.deepEqual(await videos.check('a/../b?c=d'), {
      state: 'done',
      source: { kind: 'address', uri: '/base/v1/videos/a%2F..%2Fb%3Fc%3Dd/content' },
    });
    assert.deepEqual(
      server.seen.map(({ line, authorization }) => [line, authorization]),
      [
        ['GET /base/v1/videos/video_68d7', 'Bearer secret'],
        ['GET /base/v1/videos/a%2F..%2Fb%3Fc%3Dd', 'Bearer secret'],
      ],
    );
  });

  for (const operation of ['..', 'operations 1', ''])
    test(`is not looked up by "${operation}"`, async () => {
      await using server = await startRecorder(json(200, VIDEO));
      await assert.rejects(videosAt(server.url).check(operation), { fault: 'rejected' });
      await assert.rejects(videosAt(server.url).open(operation, { kind: 'inline' }), { fault: 'rejected' });
      assert.equal(server.seen.length, 0);
    });

  test('has its content at the address of the job, wherever it was when it ended', async () => {
    await using server = await startRecorder(file);
    const video = await videosAt(server.url).open('video_68d7', { kind: 'address', uri: 'ignored' });
    assert.ok(Buffer.concat(await Array.fromAsync(video)).equals(wholeMp4()));
    const { line, authorization } = server.only();
    assert.deepEqual([line, authorization], ['GET /base/v1/videos/video_68d7/content', 'Bearer secret']);
  });
});
