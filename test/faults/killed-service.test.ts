import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { fewAtOnce } from '../support/few-at-once.ts';
import { call, MODEL, readId } from '../support/http.ts';
import { longOr } from '../support/long-tests.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20_261_115);
const KILLS = longOr(1, 4);

/** Prompts, and how their tasks end no matter when the service is killed. */
const PROMPTS: readonly (readonly [prompt: string, outcome: string])[] = [
  ['a quiet harbour', 'completed'],
  ['a quiet harbour [sample: delay 8s]', 'completed'],
  ['a quiet harbour [sample: file truncated]', 'completed'],
  ['a quiet harbour [sample: file error 403]', 'completed'],
  ['a quiet harbour [sample: error 503]', 'completed'],
  ['a quiet harbour [sample: on=studio-a error 503 times 5]', 'completed'],
  ['a quiet harbour [sample: filtered]', 'content_blocked'],
];
const TASKS = longOr(1, 4) * PROMPTS.length;

const access = z.object({ baseUrl: z.string(), apiKey: z.string() });
const listSchema = z.object({
  data: z.array(
    z.object({ id: z.string(), status: z.string(), error: z.nullable(z.object({ code: z.string() })) }),
  ),
});
const store = z.object({
  clientConfig: z.object({
    endpoint: z.string(),
    region: z.string(),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  }),
});

let folder = '';
let service: ChildProcess | undefined;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-'));
});
after(async () => {
  service?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const readJson = async <T extends z.ZodType>(file: string, schema: T): Promise<z.infer<T>> =>
  schema.parse(JSON.parse(await readFile(join(folder, file), 'utf8')));

const start = async () => {
  const script = join(import.meta.dirname, 'service-process.ts');
  const child = spawn(process.execPath, [script, '--port', '0', '--data', folder, '--upstreams', '2'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  service = child;
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes('Ready in')) break;
  }
  assert.match(output, /Ready in/);
  // Read on, so that a full pipe never holds the service up.
  child.stdout.resume();
  return readJson('local.json', access);
};

const kill = async (): Promise<void> => {
  service?.kill('SIGKILL');
  if (service !== undefined) await once(service, 'exit');
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** How the tasks that are over have ended. All are in one page: a request for each would keep the service busy. */
const readOutcomes = async (client: z.infer<typeof access>): Promise<Map<string, string>> => {
  const answer = await call(client, 'GET', '/v1/videos?limit=100');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return new Map(
    listSchema.parse(answer.body).data.flatMap(({ id, status, error }) => {
      if (status === 'failed') return [[id, error?.code ?? '']] as const;
      return status === 'completed' ? ([[id, status]] as const) : [];
    }),
  );
};

const readCharges = async () => {
  const client = new DynamoDBClient((await readJson('stack.json', store)).clientConfig);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const TableName = TableNames.find((name) => name.includes('ChargesTable'));
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  return Items.map(({ taskId, upstream }) => ({ taskId: taskId?.S ?? '', upstream: upstream?.S }));
};

test(`${TASKS} tasks end as their prompts say at one of two upstreams while the whole service is killed (${KILLS} times, FAULT_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  let client = await start();
  const tasks = await fewAtOnce(TASKS, async (position) => {
    const [prompt, outcome] = PROMPTS[position % PROMPTS.length] ?? ['', ''];
    const json = { model: MODEL, prompt, seconds: 4 };
    return { id: readId(await call(client, 'POST', '/v1/videos', { json })), outcome };
  });
  for (let kills = 0; kills < KILLS; kills += 1) {
    await pause(500 + random() * 4500);
    await kill();
    client = await start();
  }
  let ended = await readOutcomes(client);
  while (ended.size < TASKS) {
    await pause(1000);
    ended = await readOutcomes(client);
  }
  assert.deepEqual(
    tasks.map(({ id }) => ended.get(id)),
    tasks.map(({ outcome }) => outcome),
  );
  const completed = tasks.filter(({ outcome }) => outcome === 'completed').map(({ id }) => id);
  // The record follows the write that completes the task.
  while ((await readCharges()).length < completed.length) await pause(500);
  const charges = await readCharges();
  assert.deepEqual(charges.map(({ taskId }) => taskId).toSorted(), completed.toSorted());
  assert.deepEqual(new Set(charges.map(({ upstream }) => upstream)), new Set(['studio-a', 'studio-b']));
});
