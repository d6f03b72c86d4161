import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { upstreamClient } from '../../../../functions/upstream/adapters/upstream-client.ts';
import { upstreamVideos } from '../../../../functions/upstream/adapters/upstream-videos.ts';
import { videoKey } from '../../../../functions/videos/domain/task.ts';
import { driveTask } from '../../../support/drive-task.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import { file, redirectElsewhere, sample, silence, started, trickle } from './upstream-answers.ts';
import {
  type Behaviour,
  CHECK_BEHAVIOURS,
  FILE_BEHAVIOURS,
  SUBMIT_BEHAVIOURS,
} from './upstream-behaviours.ts';
import { type Answer, KEY_HEADER, startUpstream, type UpstreamAnswers } from './upstream-server.ts';

const PLAIN: Required<UpstreamAnswers> = { submit: [started], check: [sample], file: [file] };
/** Long for answers that come, however busy the machine; short where none is ever coming. */
const TIMEOUTS_MS = { answered: 20_000, silent: 1200 };

const isSilent = (answers: UpstreamAnswers): boolean =>
  Object.values(answers)
    .flat()
    .some((answer) => answer === silence || answer === trickle);

const driveThrough = async (answers: UpstreamAnswers, apiKey = async () => 'secret') => {
  await using server = await startUpstream({ ...PLAIN, ...answers });
  const client = upstreamClient({
    baseUrl: server.baseUrl,
    keyHeader: KEY_HEADER,
    apiKey,
    models: {},
    fetch,
  });
  const timeoutMs = isSilent(answers) ? TIMEOUTS_MS.silent : TIMEOUTS_MS.answered;
  const generator = upstreamVideos(client, timeoutMs, { submit: timeoutMs, check: timeoutMs });
  return { ...(await driveTask(generator)), server };
};

const check = async ({ answers, outcome, submits, message, seconds }: Behaviour): Promise<void> => {
  const driven = await driveThrough(answers);
  const { task, charges, media, server } = driven;
  assert.equal(task.error?.code ?? task.status, outcome);
  assert.equal(server.requests('submit').length, submits);
  assert.equal(charges.length, outcome === 'completed' ? 1 : 0);
  assert.deepEqual(media.keys(), outcome === 'completed' ? [videoKey(task)] : []);
  if (outcome === 'completed') assert.deepEqual(media.get(videoKey(task)), wholeMp4());
  if (message !== undefined) assert.equal(task.error?.message, message);
  const [atLeast, atMost] = seconds ?? [0, Number.POSITIVE_INFINITY];
  assert.ok(driven.seconds >= atLeast && driven.seconds <= atMost, `took ${driven.seconds} s`);
};

const BEHAVIOURS = { submit: SUBMIT_BEHAVIOURS, check: CHECK_BEHAVIOURS, file: FILE_BEHAVIOURS };

for (const [call, behaviours] of Object.entries(BEHAVIOURS))
  describe(`upstream's answers to ${call}`, { concurrency: true }, () => {
    for (const behaviour of behaviours)
      test(`${behaviour.name}: ${behaviour.outcome} after ${behaviour.submits} submits`, () =>
        check(behaviour));
  });

test('a key that cannot be read from the start, and then only now and then, delays a task and fails none', async () => {
  let reads = 0;
  const { task, charges, server } = await driveThrough({}, async () => {
    reads += 1;
    if (reads <= 20 || reads % 2 === 0) throw new Error('Secrets Manager is down');
    return 'secret';
  });
  assert.deepEqual([task.status, charges.length, server.requests('submit').length], ['completed', 1, 1]);
});

test('the key goes to the upstream, and not to another host that it redirects to', async () => {
  const { task, server } = await driveThrough({ file: [redirectElsewhere, file] });
  assert.equal(task.status, 'completed');
  const port = new URL(server.baseUrl).port;
  assert.deepEqual(
    server.requests('file').map(({ host, key }) => [host, key]),
    [
      [`127.0.0.1:${port}`, 'secret'],
      [`localhost:${port}`, undefined],
    ],
  );
  assert.ok(server.requests('submit').every(({ key }) => key === 'secret'));
  assert.ok(server.requests('check').every(({ key }) => key === 'secret'));
});

test('the key does not go to another port of the same host', async () => {
  await using another = await startUpstream(PLAIN);
  const elsewhere: Answer = (response) =>
    void response.writeHead(302, { location: `${another.baseUrl}/files/1` }).end();
  const { task, server } = await driveThrough({ file: [elsewhere] });
  assert.equal(task.status, 'completed');
  const keys = [server, another].map(({ requests }) => requests('file').map(({ key }) => key));
  assert.deepEqual(keys, [['secret'], [undefined]]);
});

test('one video is asked for, as the task has it', async () => {
  const { server } = await driveThrough({});
  const parameters = { sampleCount: 1, durationSeconds: 6, aspectRatio: '16:9', resolution: '720p', seed: 0 };
  assert.deepEqual(
    server.requests('submit').map(({ body }) => body),
    [{ instances: [{ prompt: 'a lighthouse' }], parameters }],
  );
});
