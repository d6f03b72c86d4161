import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fewAtOnce } from '../support/few-at-once.ts';
import { call, MODEL, readId } from '../support/http.ts';
import { longOr } from '../support/long-tests.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { awaitCharges, awaitOutcomes, KillableService, pause } from './killable-service.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20_261_115);
const OMNI = 'video-omni-1.2-flash';
const KILLS = longOr(1, 4);

/** Prompts, and how their tasks end no matter when the service is killed. */
const PROMPTS: readonly (readonly [prompt: string, outcome: string])[] = [
  ['a quiet harbour', 'completed'],
  ['a quiet harbour [sample: delay 8s]', 'completed'],
  ['a quiet harbour [sample: file truncated]', 'completed'],
  ['a quiet harbour [sample: file error 403]', 'completed'],
  ['a quiet harbour [sample: error 503]', 'completed'],
  ['a quiet harbour [sample: on=openrouter error 503 times 5]', 'completed'],
  ['a quiet harbour [sample: filtered]', 'content_blocked'],
];
const TASKS = longOr(1, 4) * PROMPTS.length;

const service = await KillableService.create(['--port', '0', '--upstreams', '6']);
after(() => service.close());

test(`${TASKS} tasks end as their prompts say at OpenRouter, a server of the Videos API or Gemini Omni while the whole service is killed (${KILLS} times, FAULT_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  let client = await service.start();
  const tasks = await fewAtOnce(TASKS, async (position) => {
    const [prompt, outcome] = PROMPTS[position % PROMPTS.length] ?? ['', ''];
    const json = { model: position % 3 === 1 ? OMNI : MODEL, prompt, seconds: 4 };
    return { id: readId(await call(client, 'POST', '/v1/videos', { json })), outcome };
  });
  for (let kills = 0; kills < KILLS; kills += 1) {
    await pause(500 + random() * 4500);
    await service.kill();
    client = await service.start();
  }
  const ended = await awaitOutcomes(client, TASKS);
  assert.deepEqual(
    tasks.map(({ id }) => ended.get(id)),
    tasks.map(({ outcome }) => outcome),
  );
  const completed = tasks.filter(({ outcome }) => outcome === 'completed').map(({ id }) => id);
  const charges = await awaitCharges(service, completed.length);
  assert.deepEqual(charges.map(({ taskId }) => taskId).toSorted(), completed.toSorted());
  assert.deepEqual(
    new Set(charges.map(({ upstream }) => upstream)),
    new Set(['openrouter', 'openai', 'omni']),
  );
});
