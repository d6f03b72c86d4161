import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openAiClient, openAiVideos } from '../../../../functions/upstream/adapters/openai.ts';
import { openRouterClient, openRouterVideos } from '../../../../functions/upstream/adapters/openrouter.ts';
import { vertexClient, vertexVideos } from '../../../../functions/upstream/adapters/vertex.ts';
import { type VideoGenerator, videoKey } from '../../../../functions/videos/domain/media.ts';
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
import {
  type Behaviour,
  CHECK_BEHAVIOURS,
  FILE_BEHAVIOURS,
  SUBMIT_BEHAVIOURS,
} from './upstream-behaviours.ts';
import { type Answer, startUpstream, type UpstreamAnswers } from './upstream-server.ts';

/** The behaviours of the Gemini API that do not depend on its protocol, at the other kinds of upstreams. */

type Timeouts = { readonly submit: number; readonly check: number };

type Kind = {
  readonly create: (baseUrl: string, fileTimeoutMs: number, timeouts: Timeouts) => VideoGenerator;
  /** The answers of this kind in place of the Gemini API's. */
  readonly answers: ReadonlyMap<Answer, Answer>;
};

const OPERATION = 'projects/acme/locations/us-central1/publishers/google/models/veo/operations/1';
const modelName = () => 'veo';
const credential = credentialFrom(async () => 'secret');

const KINDS: Readonly<Record<string, Kind>> = {
  vertex: {
    create: (baseUrl, fileTimeoutMs, timeouts) => {
      const token = { read: async () => 'secret', renew: async () => false };
      const place = { name: 'vertex', project: 'acme', location: 'us-central1', storageUri: 'gs://bucket/' };
      const client = vertexClient({ ...place, baseUrl, storageBaseUrl: baseUrl, modelName, token, fetch });
      const { discard: _, ...videos } = vertexVideos(client, fileTimeoutMs, timeouts);
      return videos;
    },
    answers: new Map([
      [started, json(200, { name: OPERATION })],
      [pending, json(200, { name: OPERATION })],
      [
        sample,
        json(200, { name: OPERATION, done: true, response: { videos: [{ gcsUri: 'gs://bucket/1.mp4' }] } }),
      ],
    ]),
  },
  openrouter: {
    create: (baseUrl, fileTimeoutMs, timeouts) =>
      openRouterVideos(openRouterClient({ baseUrl, credential, modelName, fetch }), fileTimeoutMs, timeouts),
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
    create: (baseUrl, fileTimeoutMs, timeouts) => {
      const client = openAiClient({ baseUrl, options: 'metadata', credential, modelName, fetch });
      return openAiVideos(client, fileTimeoutMs, timeouts);
    },
    answers: new Map([
      [started, json(200, { id: 'video_1', status: 'queued' })],
      [pending, json(200, { id: 'video_1', status: 'in_progress' })],
      [sample, json(200, { id: 'video_1', status: 'completed' })],
    ]),
  },
};

const PLAIN: Required<UpstreamAnswers> = { submit: [started], check: [sample], file: [file] };
/** Long for answers that arrive even on a busy machine; short if none ever arrives. */
const TIMEOUTS_MS = { answered: 20_000, silent: 1200 };

const isSilent = (answers: UpstreamAnswers): boolean =>
  Object.values(answers)
    .flat()
    .some((answer) => answer === silence || answer === trickle);

const driveThrough = async ({ create, answers: own }: Kind, given: UpstreamAnswers) => {
  const translate = (answers: readonly Answer[]) => answers.map((answer) => own.get(answer) ?? answer);
  const { submit, check, file: files } = { ...PLAIN, ...given };
  await using server = await startUpstream({
    submit: translate(submit),
    check: translate(check),
    file: translate(files),
  });
  const timeoutMs = isSilent(given) ? TIMEOUTS_MS.silent : TIMEOUTS_MS.answered;
  const generator = create(server.baseUrl, timeoutMs, { submit: timeoutMs, check: timeoutMs });
  return { ...(await driveTask(generator)), server };
};

const check = async (kind: Kind, { answers, outcome, submits, seconds }: Behaviour): Promise<void> => {
  const driven = await driveThrough(kind, answers);
  const { task, charges, media, server } = driven;
  assert.equal(task.error?.code ?? task.status, outcome);
  assert.equal(server.requests('submit').length, submits);
  assert.equal(charges.length, outcome === 'completed' ? 1 : 0);
  assert.deepEqual(media.keys(), outcome === 'completed' ? [videoKey(task)] : []);
  if (outcome === 'completed') assert.deepEqual(media.get(videoKey(task)), wholeMp4());
  const [atLeast, atMost] = seconds ?? [0, Number.POSITIVE_INFINITY];
  assert.ok(driven.seconds >= atLeast && driven.seconds <= atMost, `took ${driven.seconds} s`);
};

const BEHAVIOURS = [...SUBMIT_BEHAVIOURS, ...CHECK_BEHAVIOURS, ...FILE_BEHAVIOURS].filter(
  ({ isGemini = false }) => !isGemini,
);

for (const [name, kind] of Object.entries(KINDS))
  describe(`answers of an upstream of the kind ${name}`, { concurrency: true }, () => {
    for (const behaviour of BEHAVIOURS)
      test(`${behaviour.name}: ${behaviour.outcome} after ${behaviour.submits} submits`, () =>
        check(kind, behaviour));

    test('do not lead the key to another host', async () => {
      const { task, server } = await driveThrough(kind, { file: [redirectElsewhere, file] });
      assert.equal(task.status, 'completed');
      const port = new URL(server.baseUrl).port;
      assert.deepEqual(
        server.requests('file').map(({ host, key }) => [host, key]),
        [
          [`127.0.0.1:${port}`, 'Bearer secret'],
          [`localhost:${port}`, undefined],
        ],
      );
      assert.ok(server.seen.every(({ host, key }) => key === undefined || host === `127.0.0.1:${port}`));
    });
  });
