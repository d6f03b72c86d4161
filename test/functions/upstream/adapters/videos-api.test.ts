import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OptionStyle } from '../../../../functions/upstream/domain/upstreams.ts';
import type { LoadedInput } from '../../../../functions/upstream/domain/video-generator.ts';
import type { TaskRequest } from '../../../../functions/videos/domain/task.ts';
import { readForm, rotatingCredential, startRecorder } from './recording-server.ts';
import { json, reset } from './upstream-answers.ts';
import { PLAIN, VIDEO, videosAt } from './videos-api-client.ts';

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

  test('is a form with a bearer token, the idempotency key and a content-length', async () => {
    const { recorded } = await submit('none');
    const { line, authorization, headers, body } = recorded;
    assert.deepEqual(
      [line, authorization, headers['idempotency-key'], headers['content-length']],
      ['POST /base/v1/videos', 'Bearer secret', 'task_1', String(body.length)],
    );
    assert.match(headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
  });

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

  for (const [resolution, aspectRatio, size] of [
    ['720p', '9:16', '720x1280'],
    ['1080p', '16:9', '1920x1080'],
    ['1080p', '9:16', '1080x1920'],
    ['4k', '16:9', '3840x2160'],
    ['4k', '9:16', '2160x3840'],
  ] as const)
    test(`has the size ${size} for ${resolution} at ${aspectRatio}`, async () => {
      const { form } = await submit('none', { resolution, aspectRatio, seconds: 8 });
      assert.deepEqual([form.get('size'), form.get('seconds')], [size, '8']);
    });

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
