import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { BucketRules } from '../../../../lib/local/emulators/s3/bucket-rules.ts';
import {
  type EmulatorOptions,
  type Emulators,
  startEmulators,
} from '../../../../lib/local/emulators/start.ts';

export const REGION = 'eu-west-1';
export const ACCOUNT = '123456789012';
export const SECRET_ARN = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:upstream-AbCdEf`;

const corsRule = (rule: object) => BucketRules.parse({ CorsConfiguration: { CorsRules: [rule] } });

const BUCKETS: NonNullable<EmulatorOptions['buckets']> = {
  named: corsRule({
    AllowedOrigins: ['https://app.example.com', 'http://localhost:*'],
    AllowedMethods: ['GET'],
    AllowedHeaders: ['x-own-*', 'Range'],
  }),
  any: corsRule({
    AllowedOrigins: ['*'],
    AllowedMethods: ['GET', 'HEAD'],
    AllowedHeaders: ['*'],
    ExposedHeaders: ['ETag'],
    MaxAge: 60,
  }),
  none: BucketRules.parse({}),
  media: BucketRules.parse({
    LifecycleConfiguration: {
      Rules: [
        { Prefix: 'inputs/', ExpirationInDays: 0, Status: 'Enabled' },
        { Prefix: 'drafts/', ExpirationInDays: 0, Status: 'Disabled' },
        { Prefix: 'videos/', ExpirationInDays: 7, Status: 'Enabled' },
        {
          Prefix: 'tagged/',
          TagFilters: [{ Key: 'retention', Value: 'limited' }],
          ExpirationInDays: 0,
          Status: 'Enabled',
        },
      ],
    },
  }),
};

export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'emulators-'));

export const optionsFor = (dataDir: string): EmulatorOptions => ({
  dataDir,
  region: REGION,
  accountId: ACCOUNT,
  masterSecret: 'master',
  secrets: { [SECRET_ARN]: 'the upstream key' },
  buckets: BUCKETS,
});

export const configFor = (emulators: Emulators, principal = 'TestFunction') => ({
  endpoint: emulators.endpoint,
  region: REGION,
  credentials: emulators.credentials(principal),
});

export const createClients = (emulators: Emulators, principal?: string) => {
  const config = configFor(emulators, principal);
  return {
    dynamo: new DynamoDBClient(config),
    sqs: new SQSClient(config),
    s3: new S3Client(config),
    secrets: new SecretsManagerClient(config),
  };
};

/** Emulators with a temporary folder that can be stopped, killed and restarted. */
export const emulated = async (options: Partial<EmulatorOptions> = {}) => {
  const dataDir = await temporaryFolder();
  let emulators = await startEmulators({ ...optionsFor(dataDir), ...options });
  let clients: ReturnType<typeof createClients> | undefined;
  return {
    dataDir,
    get emulators() {
      return emulators;
    },
    /** Those of one process of the emulators: new ones take longer than most calls. */
    get clients() {
      clients ??= createClients(emulators);
      return clients;
    },
    async restart(changes: Partial<EmulatorOptions> = {}) {
      clients = undefined;
      await emulators.close();
      emulators = await startEmulators({ ...optionsFor(dataDir), ...options, ...changes });
    },
    /** With SIGKILL; the parent restarts it on the same port. */
    kill: () => {
      clients = undefined;
      process.kill(emulators.pid, 'SIGKILL');
    },
    async answering() {
      const answers = () =>
        fetch(emulators.endpoint).then(
          () => true,
          () => false,
        );
      while (!(await answers())) await sleep(20);
    },
    async end() {
      await emulators.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const shared = new Map<string, ReturnType<typeof emulated>>();

/**
 * The emulators that the files of a group share, because to start them takes longer than most of their tests. Called
 * where a file begins, so that they end with the process. Each file has tables and buckets with names of its own.
 * Files that restart them, which changes their port, share others.
 */
export const sharedEmulators = (kind: 'kept' | 'restarted' = 'kept') => {
  const started = shared.get(kind) ?? emulated();
  if (!shared.has(kind)) after(async () => (await started).end());
  shared.set(kind, started);
  return started;
};

export type Emulated = Awaited<ReturnType<typeof emulated>>;

/** The name of a call's error. */
export const errorName = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no failure',
    (error) => (error instanceof Error ? error.name : String(error)),
  );
