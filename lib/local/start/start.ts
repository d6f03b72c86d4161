import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import * as z from 'zod';
import { startLocalCloud } from '../cloud.ts';
import { type DataFolder, openDataFolder, replaceFile } from '../data-folder.ts';
import { spawnEmulators } from '../emulators/start.ts';
import { LocalCloudError } from '../errors.ts';
import { type LocalStack, OPERATOR, saveLocalStack } from '../local-stack.ts';
import { listenOnLoopback } from '../loopback.ts';
import {
  errorLine,
  functionLine,
  invocationLine,
  messageLine,
  requestLine,
  throttleLine,
} from './log-lines.ts';
import { startSampleUpstreams } from './sample-upstreams.ts';

export type StartOptions = {
  readonly port: number;
  readonly folder: string;
  /** How many sample generators take part; default 1. */
  readonly upstreams: number | undefined;
  readonly reset: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
};

type SynthesisInput = { readonly outdir: string; readonly settings: Readonly<Record<string, unknown>> };

/** Upstreams that make real videos, in place of the sample generators. */
type RealUpstreams = {
  /** Settings for the stack. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The text of the secret with the credentials. */
  readonly secret: string;
  /** What people should know before they use them. */
  readonly lines: readonly string[];
};

type LateCode = {
  /** Fills the folder of a function's code before its first event. */
  readonly load: (bundle: string) => Promise<void>;
  readonly loadOthers: () => Promise<void>;
  readonly close: () => void;
};

export type Assembly = {
  readonly templateFile: string;
  /** Given if functions are bundled after the synthesis. */
  readonly lateCode?: LateCode;
};

export type Service = {
  /** Default: sample generators. */
  readonly upstreams?: RealUpstreams;
  /** Writes the assembly to `outdir`. */
  readonly synthesize: (input: SynthesisInput) => Promise<Assembly>;
  readonly issueKey: (stack: LocalStack) => Promise<string>;
  /** A URL that signs one person in to the console. */
  readonly issueSignInUrl: (stack: LocalStack) => Promise<string>;
  /** Whether samples are rendered quickly, in poor quality. */
  readonly drafts?: boolean;
};

type Started = Summary & {
  /** Resolves when the service cannot continue. */
  readonly failed: Promise<LocalCloudError>;
  readonly close: () => Promise<void>;
};

/** For operator commands that sign in to an upstream. */
const OPERATOR_ARN = `arn:aws:sts::000000000000:assumed-role/${OPERATOR}/session`;

type Print = (line: string) => void;

/** Starts the whole service; if a step fails, stops the steps before it. */
export const startService = async (
  options: StartOptions,
  service: Service,
  print: Print,
): Promise<Started> => {
  const timed = timedSteps(print);
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    const data = await openDataFolder(options.folder, options);
    opened.push(data.release);
    await assertFreePort(options.port);
    const roles = new Map<string, { secretAccessKey: string; arn: string }>();
    const startSamples = async () => {
      const samples = await timed('Sample generator', () =>
        startSampleUpstreams({
          count: options.upstreams ?? 1,
          cacheDir: data.path('samples'),
          portsFile: data.path('samplePorts'),
          drafts: service.drafts ?? false,
          findRole: (accessKeyId) => roles.get(accessKeyId),
        }),
      );
      opened.push(samples.close);
      return samples;
    };
    if (service.upstreams !== undefined && options.upstreams !== undefined)
      throw new LocalCloudError(
        '--upstreams starts sample generators; the environment names other upstreams. Use one or the other.',
      );
    for (const line of service.upstreams?.lines ?? []) print(line);
    const { settings, secret } = service.upstreams ?? (await startSamples());
    // Its modules load while this process synthesizes the stack.
    const emulators = spawnEmulators();
    opened.push(async () => emulators.kill());
    const { templateFile, lateCode } = await timed('Stack', () => synthesize(service, data, settings));
    if (lateCode !== undefined) opened.push(async () => lateCode.close());
    const cloud = await timed('Tables, queues, bucket and API', () =>
      startLocalCloud({
        templateFile,
        data,
        port: options.port,
        emulators,
        ...(lateCode && { loadCode: lateCode.load }),
        resolveSecret: ({ logicalId }) => (logicalId.startsWith('Upstream') ? secret : undefined),
        ...logging(options, print),
      }),
    );
    opened.push(cloud.close);
    for (const { accessKeyId, ...role } of cloud.roles()) roles.set(accessKeyId, role);
    const { credentials } = cloud.clientConfig(OPERATOR);
    roles.set(credentials.accessKeyId, { ...credentials, arn: OPERATOR_ARN });
    const { baseUrl } = cloud;
    const stack = await saveLocalStack(data, cloud);
    const apiKey =
      (await readStoredKey(data.path('summary'))) ?? (await timed('API key', () => service.issueKey(stack)));
    const signInUrl = await service.issueSignInUrl(stack);
    await writeSummary(data.path('summary'), { baseUrl, apiKey, signInUrl });
    lateCode?.loadOthers().catch((error: unknown) => print(errorLine('bundles', error)));
    return { baseUrl, apiKey, signInUrl, failed: cloud.failed, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Runs a step and prints its duration. */
const timedSteps =
  (print: (line: string) => void) =>
  async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const started = performance.now();
    const value = await work();
    print(`${name.padEnd(32)} ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return value;
  };

/** Checked early, before the slow steps. */
const assertFreePort = async (port: number): Promise<void> => {
  const { close } = await listenOnLoopback(createServer, port);
  await close();
};

const synthesize = async (
  service: Service,
  data: DataFolder,
  settings: SynthesisInput['settings'],
): Promise<Assembly> => {
  try {
    return await service.synthesize({ outdir: data.path('assembly'), settings });
  } catch (cause) {
    const [reason] = cause instanceof Error ? cause.message.split('\n') : [];
    throw new LocalCloudError(`The stack cannot be synthesized: ${reason ?? 'unknown reason'}`, {
      cause,
    });
  }
};

const logging = ({ verbose }: StartOptions, print: Print) => ({
  onRequest: (log: Parameters<typeof requestLine>[0]) => print(requestLine(log)),
  onMessage: (log: Parameters<typeof messageLine>[0]) => print(messageLine(log)),
  onError: (where: string, error: unknown) => print(errorLine(where, error)),
  onInvocation: (record: Parameters<typeof invocationLine>[0]) => {
    const line = invocationLine(record);
    if (line !== undefined) print(line);
  },
  onThrottle: (functionId: string) => print(throttleLine(functionId)),
  onFunctionLog: (log: Parameters<typeof functionLine>[0]) => {
    if (verbose) print(functionLine(log));
  },
});

const summarySchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string().min(1),
  signInUrl: z.string(),
});

type Summary = z.infer<typeof summarySchema>;

/** The API key of an earlier start is valid as long as the data exists. */
export const readStoredKey = async (file: string): Promise<string | undefined> => {
  try {
    return summarySchema.pick({ apiKey: true }).parse(JSON.parse(await readFile(file, 'utf8'))).apiKey;
  } catch {
    return undefined;
  }
};

export const writeSummary = async (file: string, summary: Summary): Promise<void> => {
  await replaceFile(file, `${JSON.stringify(summary, null, 2)}\n`);
};
