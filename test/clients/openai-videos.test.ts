import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI7, { toFile as toFile7 } from 'openai';
import OpenAI6, { toFile as toFile6 } from 'openai-6';
import { HELD_BACK, listInputs, MODEL } from '../support/http.ts';
import { JPEG, PNG, WEBP } from '../support/images.ts';
import { putVideo } from '../support/library-items.ts';
import { readCodecs, readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';
import { putFile } from '../support/stored-files.ts';

const CLIENTS = [
  ['7.55.0', OpenAI7, toFile7],
  ['6.49.0', OpenAI6, toFile6],
] as const;

const service = await openSharedService();
const putInput = async (bytes: Uint8Array) => ({ file_id: await putFile(service, service.account, bytes) });
const FILES = { png: await putInput(PNG), jpeg: await putInput(JPEG), webp: await putInput(WEBP) };
const REFERENCES = ['reference image/png', 'reference image/jpeg', 'reference image/webp'];

for (const [version, OpenAI, toFile] of CLIENTS)
  describe(`videos of openai ${version}`, { concurrency: 4 }, () => {
    const client = (apiKey = service.apiKey) => new OpenAI({ apiKey, baseURL: `${service.baseUrl}/v1` });
    const makeUploads = async () => ({
      png: await toFile(PNG, 'frame.png', { type: 'image/png' }),
      jpeg: await toFile(JPEG, 'frame.jpg', { type: 'image/jpeg' }),
      webp: await toFile(WEBP, 'frame.webp', { type: 'image/webp' }),
    });

    /** `extra` may have fields that the SDK's types lack. */
    const create = (extra: object) =>
      client().videos.create({ model: MODEL, prompt: 'a quiet harbour', ...extra });

    test('creates, polls and downloads a video of 8 seconds with audio', async () => {
      let video = await create({});
      assert.equal(video.status, 'queued');
      while (video.status === 'queued' || video.status === 'in_progress') {
        await sleep(1500);
        video = await client().videos.retrieve(video.id);
      }
      assert.equal(video.status, 'completed');
      const response = await client().videos.downloadContent(video.id);
      const mp4 = Buffer.from(await response.arrayBuffer());
      assert.deepEqual(readCodecs(mp4).toSorted(), ['avc1', 'mp4a']);
      assert.equal(readDuration(mp4).toFixed(1), '8.0');
    });

    type Images = Readonly<Record<keyof typeof FILES, unknown>>;
    const MODES: readonly [string, (images: Images) => object, inputs: readonly string[]][] = [
      ['a first frame', ({ png }) => ({ seconds: '4', input_reference: png }), ['first_frame image/png']],
      [
        'a first and a last frame',
        ({ png, jpeg }) => ({ input_reference: png, last_frame: jpeg }),
        ['first_frame image/png', 'last_frame image/jpeg'],
      ],
      ['reference images', ({ png, jpeg, webp }) => ({ reference_images: [png, jpeg, webp] }), REFERENCES],
    ];
    for (const [title, toFields, inputs] of MODES)
      test(`creates a task from ${title}`, async () => {
        const images = title === 'reference images' ? FILES : await makeUploads();
        const { id } = await create({ prompt: HELD_BACK, ...toFields(images) });
        assert.deepEqual(await listInputs(service, id), inputs);
      });

    test('lists 25 tasks page by page, and deletes one', async () => {
      const lister = `lister-${version}-${randomUUID()}`;
      const own = client(await service.issueKey(lister));
      const now = Date.now();
      const ids: string[] = [];
      for (let count = 0; count < 25; count += 1)
        ids.push(await putVideo(service, lister, { prompt: `${count}`, createdAt: now - 25 + count }));
      const listed: string[] = [];
      for await (const video of own.videos.list({ limit: 10 })) listed.push(video.id);
      assert.deepEqual(listed, ids.toReversed());
      const last = ids[24] ?? '';
      assert.deepEqual(await own.videos.delete(last), { id: last, object: 'video.deleted', deleted: true });
    });

    const ERRORS: readonly [string, () => Promise<unknown>, object, new (...args: never[]) => Error][] = [
      [
        'a bad field',
        () => create({ seconds: '5' }),
        { status: 400, code: 'invalid_request', param: 'seconds', type: 'invalid_request_error' },
        OpenAI.BadRequestError,
      ],
      [
        'an unknown video',
        () => client().videos.retrieve('task_none'),
        { status: 404, code: 'video_not_found' },
        OpenAI.NotFoundError,
      ],
      [
        'a wrong key',
        () => client('sk-wrong').videos.list(),
        { status: 401, code: 'invalid_api_key' },
        OpenAI.AuthenticationError,
      ],
      [
        'a remix',
        () => client().videos.remix('task_none', { prompt: 'p' }),
        { status: 400, code: 'not_offered' },
        OpenAI.BadRequestError,
      ],
    ];
    for (const [title, act, expected, type] of ERRORS)
      test(`throws a typed error for ${title}`, async () => {
        const error = await act().then(
          () => assert.fail('no error'),
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof type && error instanceof OpenAI.APIError);
        for (const [name, value] of Object.entries(expected))
          assert.equal(Reflect.get(error, name), value, name);
        assert.match(error.requestID ?? '', /./);
      });

    test('does not retry the download of a video that is not ready', async () => {
      const { id } = await create({ prompt: `${version} ${HELD_BACK}` });
      let attempts = 0;
      const counting = new OpenAI({
        apiKey: service.apiKey,
        baseURL: `${service.baseUrl}/v1`,
        fetch: (input, init) => {
          attempts += 1;
          return fetch(input, init);
        },
      });
      await assert.rejects(counting.videos.downloadContent(id), { status: 409, code: 'video_not_ready' });
      assert.equal(attempts, 1);
    });
  });
