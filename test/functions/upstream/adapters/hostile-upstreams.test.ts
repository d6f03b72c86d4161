import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Credential } from '../../../../functions/upstream/adapters/credentials.ts';
import type { VideoGenerator } from '../../../../functions/upstream/domain/video-generator.ts';
import { geminiClient } from '../../../../functions/upstream/kinds/gemini/adapter.ts';
import { interactionsClient } from '../../../../functions/upstream/kinds/interactions/adapter.ts';
import { openAiClient } from '../../../../functions/upstream/kinds/openai/adapter.ts';
import { openRouterClient } from '../../../../functions/upstream/kinds/openrouter/adapter.ts';
import { vertexClient } from '../../../../functions/upstream/kinds/vertex/adapter.ts';
import { videoKey } from '../../../../functions/videos/domain/media.ts';
import { driveTask } from '../../../support/drive-task.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import { credentialFrom } from './answering-client.ts';
import {
  file,
  json,
  pending,
  redirectElsewhere,
  sample,
  silence,
  started,
  trickle,
} from './upstream-answers.ts';
import { BEHAVIOURS, type Behaviour } from './upstream-behaviours.ts';
import { type Answer, KEY_HEADER, startUpstream, type UpstreamAnswers } from './upstream-server.ts';

/** The same behaviours at every kind of upstream, except a few that are long. */

type Timeouts = { readonly submit: number; readonly check: number };

type Kind = {
  readonly create: (
    baseUrl: string,
    fileTimeoutMs: number,
    timeouts: Timeouts,
    credential: Credential,
  ) => VideoGenerator;
  /** The header value that authorizes a call. */
  readonly key: string;
  /** The answers of this kind in place of the Gemini API's. */
  readonly answers: ReadonlyMap<Answer, Answer>;
};

const OPERATION = 'projects/acme/locations/us-central1/publishers/google/models/veo/operations/1';
const INTERACTION_FILE = '/v1beta/files/abcdefghijkl:download?alt=media';
const modelName = () => 'veo';

const gemini: Kind = {
  create: (baseUrl, fileTimeoutMs, timeouts, credential) => {
    const options = { baseUrl, keyHeader: KEY_HEADER, credential, modelName, fetch };
    return geminiClient(options).videos(fileTimeoutMs, timeouts);
  },
  key: 'secret',
  answers: new Map(),
};

const KINDS: Readonly<Record<string, Kind>> = {
  gemini,
  vertex: {
    create: (baseUrl, fileTimeoutMs, timeouts) => {
      const token = { read: async () => 'secret', renew: async () => false };
      const place = { name: 'vertex', project: 'acme', location: 'us-central1', storageUri: 'gs://bucket/' };
      const options = { ...place, baseUrl, storageBaseUrl: baseUrl, modelName, token, fetch };
      const { discard: _, ...videos } = vertexClient(options).videos(fileTimeoutMs, timeouts);
      return videos;
    },
    key: 'Bearer secret',
    answers: new Map([
      [started, json(200, { name: OPERATION })],
      [pending, json(200, { name: OPERATION })],
      [
        sample,
        json(200, { name: OPERATION, done: true, response: { videos: [{ gcsUri: 'gs://bucket/1.mp4' }] } }),
      ],
    ]),
  },
  interactions: {
    create: (baseUrl, fileTimeoutMs, timeouts, credential) => {
      const token = { read: async () => '', renew: async () => false };
      const options = { name: '', location: '', keyHeader: KEY_HEADER, credential, modelName, token, fetch };
      const client = interactionsClient({ ...options, baseUrl });
      const { discard: _, cancel: __, ...videos } = client.videos(fileTimeoutMs, timeouts);
      return videos;
    },
    key: 'secret',
    answers: new Map([
      [started, json(200, { id: 'v1_1', status: 'in_progress' })],
      [pending, json(200, { id: 'v1_1', status: 'in_progress' })],
      [
        sample,
        json(200, {
          id: 'v1_1',
          status: 'completed',
          steps: [{ type: 'model_output', content: [{ type: 'video', uri: INTERACTION_FILE }] }],
        }),
      ],
    ]),
  },
  openrouter: {
    create: (baseUrl, fileTimeoutMs, timeouts, credential) =>
      openRouterClient({ baseUrl, credential, modelName, fetch }).videos(fileTimeoutMs, timeouts),
    key: 'Bearer secret',
    answers: new Map([
      [started, json(202, { id: 'gen-vid-1', status: 'pending' })],
      [pending, json(200, { id: 'gen-vid-1', status: 'in_progress' })],
      [
        sample,
        json(200, { id: 'gen-vid-1', status: 'completed', unsigned_urls: ['/videos/gen-vid-1/content'] }),
      ],
    ]),
  },
  openai: {
    create: (baseUrl, fileTimeoutMs, timeouts, credential) => {
      const options = { baseUrl, options: 'metadata', credential, modelName, fetch } as const;
      return openAiClient(options).videos(fileTimeoutMs, timeouts);
    },
    key: 'Bearer secret',
    answers: new Map([
      [started, json(200, { id: 'video_1', status: 'queued' })],
      [pending, json(200, { id: 'video_1', status: 'in_progress' })],
      [sample, json(200, { id: 'video_1', status: 'completed' })],
    ]),
  },
};

const PLAIN: Required<UpstreamAnswers> = { submit: [started], check: [sample], file: [file] };
/** Long for answers that arrive even on a busy machine; short if none ever arrives. */
const TIMEOUTS_MS = { answered: 20_000, silent: 2000 };

const driveThrough = async (
  { create, answers: own }: Kind,
  given: UpstreamAnswers,
  readKey = async () => 'secret',
) => {
  const script = { ...PLAIN, ...given };
  const translate = (answers: readonly Answer[]) => answers.map((answer) => own.get(answer) ?? answer);
  await using server = await startUpstream({
    submit: translate(script.submit),
    check: translate(script.check),
    file: translate(script.file),
  });
  /** For the answer that comes next. */
  const timeout = (call: keyof UpstreamAnswers): number => {
    const next = script[call][server.requests(call).length] ?? script[call].at(-1);
    return next === silence || next === trickle ? TIMEOUTS_MS.silent : TIMEOUTS_MS.answered;
  };
  const timeouts = {
    get submit() {
      return timeout('submit');
    },
    get check() {
      return timeout('check');
    },
  };
  const newGenerator = () => create(server.baseUrl, timeout('file'), timeouts, credentialFrom(readKey));
  const generator: VideoGenerator = {
    ...newGenerator(),
    open: (operation, source) => newGenerator().open(operation, source),
  };
  return { ...(await driveTask(generator)), server };
};

const check = async (
  kind: Kind,
  { answers, outcome, submits = 1, message, seconds: [atLeast, atMost] = [0, Infinity] }: Behaviour,
): Promise<void> => {
  const { task, charges, media, server, seconds } = await driveThrough(kind, answers);
  const isCompleted = outcome === undefined;
  assert.deepEqual([task.status, task.error?.code], [isCompleted ? 'completed' : 'failed', outcome]);
  assert.equal(server.requests('submit').length, submits);
  assert.equal(charges.length, isCompleted ? 1 : 0);
  assert.deepEqual(media.keys(), isCompleted ? [videoKey(task)] : []);
  if (isCompleted) assert.deepEqual(media.get(videoKey(task)), wholeMp4());
  if (message !== undefined) assert.equal(task.error?.message, message);
  assert.ok(seconds >= atLeast && seconds <= atMost, `took ${seconds} s`);
};

for (const [name, kind] of Object.entries(KINDS))
  describe(`answers of an upstream of the kind ${name}`, { concurrency: true }, () => {
    for (const behaviour of BEHAVIOURS.filter(({ isLong }) => kind === gemini || !isLong))
      test(`${behaviour.name}: ${behaviour.outcome ?? 'completed'}`, () => check(kind, behaviour));

    test('do not lead the key to another host', async () => {
      const { task, server } = await driveThrough(kind, { file: [redirectElsewhere, file] });
      assert.equal(task.status, 'completed');
      const port = new URL(server.baseUrl).port;
      assert.deepEqual(
        server.requests('file').map(({ host, key }) => [host, key]),
        [
          [`127.0.0.1:${port}`, kind.key],
          [`localhost:${port}`, undefined],
        ],
      );
      assert.ok(server.seen().every(({ host, key }) => key === undefined || host === `127.0.0.1:${port}`));
    });
  });

test('a key that can be read only now and then delays a task but does not fail it', async () => {
  let reads = 0;
  const { task, charges, server } = await driveThrough(gemini, {}, async () => {
    reads += 1;
    if (reads <= 20 || reads % 2 === 0) throw new Error('Secrets Manager is down');
    return 'secret';
  });
  assert.deepEqual([task.status, charges.length, server.requests('submit').length], ['completed', 1, 1]);
});

test('the key is not sent to another port of the same host', async () => {
  await using another = await startUpstream(PLAIN);
  const elsewhere: Answer = (response) =>
    void response.writeHead(302, { location: `${another.baseUrl}/files/1` }).end();
  const { task, server } = await driveThrough(gemini, { file: [elsewhere] });
  assert.equal(task.status, 'completed');
  const keys = [server, another].map(({ requests }) => requests('file').map(({ key }) => key));
  assert.deepEqual(keys, [['secret'], [undefined]]);
});
