import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { unzipSync } from 'fflate';
import * as z from 'zod';
import type { ClientConfig } from '../emulators/start.ts';
import { hasCode, LocalCloudError } from '../errors.ts';
import { readApi } from '../gateway/api-definition.ts';
import { type ServiceOptions, type Services, startServices } from '../services.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';
import type { StackRecord } from './stack-record.ts';

const codeSchema = z.object({ Code: z.object({ S3Bucket: z.string(), S3Key: z.string() }) });

type Options = Omit<ServiceOptions, 'port'> & {
  readonly endpoint: string;
  readonly clientConfig: (principal: string) => ClientConfig;
  /** Where the code of functions is unpacked. */
  readonly codeFolder: string;
};

const PORT_TRIES = 50;
const PORT_PAUSE_MILLISECONDS = 100;

/** Between two versions, a connection of any process on this machine can hold the port for a moment. */
const startAgain = async (input: Parameters<typeof startServices>[0], tries = 1): Promise<Services> => {
  try {
    return await startServices(input);
  } catch (error) {
    const isTaken = error instanceof Error && hasCode(error.cause, 'EADDRINUSE');
    if (!isTaken || tries === PORT_TRIES) throw error;
    await sleep(PORT_PAUSE_MILLISECONDS);
    return startAgain(input, tries + 1);
  }
};

type Running = { readonly services: Services; readonly port: number };

/** Runs the functions, API, queues and schedules of stacks, from the code that was uploaded. */
export class Deployments {
  readonly #options: Options;
  readonly #running = new Map<string, Running>();
  readonly #unpacked = new Map<string, string>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Starts the services of a template that has an API, or replaces them under the same address. */
  async restart(record: StackRecord, stack: Stack): Promise<{ readonly baseUrl?: string }> {
    if (stack.resources(SUPPORTED_TYPES.restApi).length === 0) return {};
    const api = readApi(stack);
    await this.#unpackAll(stack);
    const port = this.#running.get(record.id)?.port ?? 0;
    await this.stop(record);
    const { endpoint, clientConfig } = this.#options;
    const assetPath = (key: string) => this.#unpacked.get(key);
    const options = { ...this.#options, port };
    const services = await startAgain({ stack, api, assetPath, endpoint, clientConfig, options });
    this.#running.set(record.id, { services, port: Number(new URL(services.baseUrl).port) });
    return { baseUrl: services.baseUrl };
  }

  async stop({ id }: Pick<StackRecord, 'id'>): Promise<void> {
    await this.#running.get(id)?.services.close();
    this.#running.delete(id);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.stop({ id })));
  }

  async #unpackAll(stack: Stack): Promise<void> {
    const client = new S3Client({
      ...this.#options.clientConfig('lambda.amazonaws.com'),
      forcePathStyle: true,
    });
    try {
      for (const resource of stack.resources(SUPPORTED_TYPES.function)) {
        const { S3Bucket, S3Key } = stack.properties(resource, codeSchema).Code;
        if (!this.#unpacked.has(S3Key))
          this.#unpacked.set(S3Key, await this.#unpack(client, S3Bucket, S3Key));
      }
    } finally {
      client.destroy();
    }
  }

  async #unpack(client: S3Client, Bucket: string, Key: string): Promise<string> {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    const archive = await Body?.transformToByteArray();
    if (archive === undefined) throw new LocalCloudError(`The code s3://${Bucket}/${Key} is empty.`);
    const folder = join(this.#options.codeFolder, Key.replace(/\.zip$/, ''));
    for (const [name, content] of Object.entries(unzipSync(archive))) {
      const file = join(folder, name);
      if (name.endsWith('/')) continue;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    return folder;
  }
}
