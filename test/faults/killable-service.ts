import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { call, type ServiceAccess } from '../support/http.ts';

const accessSchema = z.object({ baseUrl: z.string(), apiKey: z.string() });
const listSchema = z.object({
  data: z.array(
    z.object({ id: z.string(), status: z.string(), error: z.nullable(z.object({ code: z.string() })) }),
  ),
});
const storeSchema = z.object({
  clientConfig: z.object({
    endpoint: z.string(),
    region: z.string(),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  }),
});

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const SCRIPT = join(import.meta.dirname, 'service-process.ts');

/** A whole service in a process of its own, whose data outlive it. */
export class KillableService {
  readonly #folder: string;
  readonly #args: readonly string[];
  readonly #upstream: ServiceAccess | undefined;
  #child: ChildProcess | undefined;

  private constructor(folder: string, args: readonly string[], upstream: ServiceAccess | undefined) {
    this.#folder = folder;
    this.#args = args;
    this.#upstream = upstream;
  }

  /** With sample generators, or with another service as its upstream. */
  static async create(args: readonly string[], upstream?: ServiceAccess): Promise<KillableService> {
    return new KillableService(await mkdtemp(join(tmpdir(), 'killed-')), args, upstream);
  }

  async start(): Promise<ServiceAccess> {
    const env = {
      ...process.env,
      ...(this.#upstream && { UPSTREAM_SERVICE: JSON.stringify(this.#upstream) }),
    };
    const args = [SCRIPT, '--data', join(this.#folder, 'data'), ...this.#args];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
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
    return this.#read('local.json', accessSchema);
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    if (this.#child !== undefined) await once(this.#child, 'exit');
    this.#child = undefined;
  }

  async close(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The charge records, by their tasks. */
  async charges() {
    const client = new DynamoDBClient((await this.#read('stack.json', storeSchema)).clientConfig);
    const { TableNames = [] } = await client.send(new ListTablesCommand({}));
    const TableName = TableNames.find((name) => name.includes('ChargesTable'));
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    return Items.map(({ taskId, upstream }) => ({ taskId: taskId?.S ?? '', upstream: upstream?.S }));
  }

  async #read<T extends z.ZodType>(file: string, schema: T): Promise<z.infer<T>> {
    return schema.parse(JSON.parse(await readFile(join(this.#folder, 'data', file), 'utf8')));
  }
}

/** How the tasks that are over have ended. All are in one page: a request for each would keep the service busy. */
export const readOutcomes = async (client: ServiceAccess): Promise<ReadonlyMap<string, string>> => {
  const answer = await call(client, 'GET', '/v1/videos?limit=100');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return new Map(
    listSchema.parse(answer.body).data.flatMap(({ id, status, error }) => {
      if (status === 'failed') return [[id, error?.code ?? '']] as const;
      return status === 'completed' ? ([[id, status]] as const) : [];
    }),
  );
};

/** Waits until this many tasks are over. */
export const awaitOutcomes = async (
  client: ServiceAccess,
  count: number,
): Promise<ReadonlyMap<string, string>> => {
  for (;;) {
    const ended = await readOutcomes(client);
    if (ended.size >= count) return ended;
    await pause(1000);
  }
};

/** Waits until each of so many videos is charged: the record follows the write that completes the task. */
export const awaitCharges = async (service: KillableService, count: number) => {
  for (;;) {
    const charges = await service.charges();
    if (charges.length >= count) return charges;
    await pause(500);
  }
};
