import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import * as z from 'zod';
import { startSampleGenerator } from '../../sample-generator/server.ts';
import { startLocalCloud } from '../cloud.ts';
import { type DataFolder, openDataFolder, replaceFile } from '../data-folder.ts';
import { LocalCloudError } from '../errors.ts';
import { type LocalStack, saveLocalStack } from '../local-stack.ts';
import { listenOnLoopback } from '../loopback.ts';
import {
  errorLine,
  functionLine,
  invocationLine,
  messageLine,
  requestLine,
  throttleLine,
  timedSteps,
} from './log-lines.ts';
import type { StartOptions } from './options.ts';

/** What the service brings: its stack and its keys. */
export type Service = {
  /** Writes the assembly into the folder; returns the template's file. */
  readonly synthesize: (input: { readonly outdir: string; readonly upstreamUrl: string }) => Promise<string>;
  readonly issueKey: (stack: LocalStack) => Promise<string>;
  /** An address that signs one person in to the console. */
  readonly issueSignInUrl: (stack: LocalStack) => Promise<string>;
};

type Started = Summary & {
  /** Resolves when it cannot go on. */
  readonly failed: Promise<LocalCloudError>;
  readonly close: () => Promise<void>;
};

type Print = (line: string) => void;

/** Starts the whole service; whatever fails, nothing stays behind. */
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
    const upstreamKey = randomBytes(16).toString('hex');
    const generator = await timed('Sample generator', () =>
      startSampleGenerator({ apiKey: upstreamKey, cacheDir: data.path('samples') }),
    );
    opened.push(generator.close);
    const templateFile = await timed('Stack and bundles', () => synthesize(service, data, generator.url));
    const cloud = await timed('Tables, queues, bucket and API', () =>
      startLocalCloud({
        templateFile,
        data,
        port: options.port,
        resolveSecret: ({ logicalId }) => (logicalId.startsWith('Upstream') ? upstreamKey : undefined),
        ...logging(options, print),
      }),
    );
    opened.push(cloud.close);
    const { baseUrl } = cloud;
    const stack = await saveLocalStack(data, cloud);
    const apiKey =
      (await keptKey(data.path('summary'))) ?? (await timed('API key', () => service.issueKey(stack)));
    const signInUrl = await service.issueSignInUrl(stack);
    await writeSummary(data.path('summary'), { baseUrl, apiKey, signInUrl });
    return { baseUrl, apiKey, signInUrl, failed: cloud.failed, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Says so before the long part of a start, not after it. */
const assertFreePort = async (port: number): Promise<void> => {
  const { close } = await listenOnLoopback(createServer, port);
  await close();
};

const synthesize = async (service: Service, data: DataFolder, upstreamUrl: string): Promise<string> => {
  const outdir = data.path('assembly');
  try {
    // Bundles of earlier code would stay there for ever.
    await rm(outdir, { recursive: true, force: true });
    return await service.synthesize({ outdir, upstreamUrl });
  } catch (cause) {
    const [reason] = cause instanceof Error ? cause.message.split('\n') : [];
    throw new LocalCloudError(`The stack cannot be synthesized: ${reason ?? 'no reason was given'}`, {
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
  /** Signs one person in to the console, once. */
  signInUrl: z.string(),
});

type Summary = z.infer<typeof summarySchema>;

/** The key of an earlier start, which is as good as its data. */
export const keptKey = async (file: string): Promise<string | undefined> => {
  try {
    return summarySchema.pick({ apiKey: true }).parse(JSON.parse(await readFile(file, 'utf8'))).apiKey;
  } catch {
    return undefined;
  }
};

export const writeSummary = async (file: string, summary: Summary): Promise<void> => {
  await replaceFile(file, `${JSON.stringify(summary, null, 2)}\n`);
};
