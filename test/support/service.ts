import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyTerms } from '../../functions/identity/domain/api-key.ts';
import type { Config } from '../../lib/config.ts';
import { type LocalCloud, startLocalCloud } from '../../lib/local/cloud.ts';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import type { ClientConfig } from '../../lib/local/emulators/start.ts';
import type { StartChild } from '../../lib/local/functions/function-process.ts';
import type { LocalCloudOptions } from '../../lib/local/services.ts';
import {
  errorLine,
  invocationLine,
  messageLine,
  requestLine,
  throttleLine,
} from '../../lib/local/start/log-lines.ts';
import type { TemplateFiles } from '../../lib/local/template/template.ts';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { type SampleGenerator, startSampleGenerator } from '../../lib/sample-generator/server.ts';
import { assemblyFor, ownAssembly, samplesFolder } from './assembly.ts';

const UPSTREAM_KEY = 'upstream-key-for-tests';

/** Where a running service and its stores are, for any process of this machine. */
export type ServiceAddress = {
  readonly baseUrl: string;
  /** The synthesized template that the cloud runs. */
  readonly files: TemplateFiles;
  readonly operator: ClientConfig;
  /** Of the stack, as commands read them. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly keysTable: string;
  readonly sessionsTable: string;
  readonly mediaBucket: string;
  readonly filesTable: string;
  readonly sharesTable: string;
  readonly webhookTables: { readonly endpoints: string; readonly deliveries: string };
};

export type Service = ServiceAddress &
  AsyncDisposable & {
    /** A key of the account `tester`. */
    readonly apiKey: string;
    readonly cloud: LocalCloud;
    readonly generator: SampleGenerator;
    /** Everything that the functions wrote to their logs. */
    readonly logs: () => readonly string[];
    /** The lines that `npm start` would have printed. */
    readonly printed: () => readonly string[];
    readonly issueKey: (account: string, terms?: Partial<KeyTerms>) => Promise<string>;
    readonly close: () => Promise<void>;
  };

export type ServiceOptions = {
  /** Where the service finds its upstream; the sample generator unless given. */
  readonly upstreamUrl?: string;
  readonly generationSeconds?: number;
  /** Keeps no logs and no printed lines, which take a twentieth of the time of a request. */
  readonly isSilent?: boolean;
  /** Runs a function; unless given, in a process of its own, as `npm start` does. */
  readonly startChild?: StartChild | undefined;
  /** Settings for a stack of its own, and the secret with the credentials of its upstreams. */
  readonly own?: { readonly config: Partial<Config>; readonly secret?: string };
  /** A change to the synthesized template, as a faulty stack would have it. */
  readonly changeTemplate?: (template: string) => string;
};

const listeners = (logs: string[], printed: string[]): Partial<LocalCloudOptions> => ({
  onFunctionLog: ({ line }) => logs.push(line),
  onRequest: (log) => printed.push(requestLine(log)),
  onMessage: (log) => printed.push(messageLine(log)),
  onInvocation: (record) => printed.push(invocationLine(record) ?? ''),
  onThrottle: (functionId) => printed.push(throttleLine(functionId)),
});

/** The whole service on this machine, with data of its own that go when it is closed. */
export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  const generator = await startSampleGenerator({
    apiKey: UPSTREAM_KEY,
    cacheDir: samplesFolder(folder),
    generationSeconds: options.generationSeconds ?? 1,
    retryDelaySeconds: 1,
    drafts: true,
  });
  const { upstreamUrl = generator.url, changeTemplate, own } = options;
  const files = own
    ? await ownAssembly(own.config, folder, upstreamUrl)
    : await assemblyFor(upstreamUrl, folder, changeTemplate);
  const data = await openDataFolder(join(folder, 'data'));
  const logs: string[] = [];
  const printed: string[] = [];
  const cloud = await startLocalCloud({
    ...files,
    data,
    port: 0,
    schedules: false,
    resolveSecret: ({ logicalId }) =>
      logicalId.startsWith('Upstream') ? (own?.secret ?? UPSTREAM_KEY) : undefined,
    onError: (where, error) => console.error(errorLine(where, error)),
    ...(options.isSilent ? {} : listeners(logs, printed)),
    ...(options.startChild && { startChild: options.startChild }),
  });
  const [operator, keysTable] = [cloud.clientConfig('operator'), cloud.tableName('KeysTable')];
  const store = { clientConfig: operator, outputs: cloud.outputs };
  const issueKey: Service['issueKey'] = (account, terms) =>
    issueApiKey(store, { account, name: 'test', ...terms });
  const close = async () => {
    await cloud.close();
    await generator.close();
    await data.release();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    baseUrl: cloud.baseUrl,
    files,
    operator,
    outputs: cloud.outputs,
    keysTable,
    sessionsTable: cloud.tableName('SessionsTable'),
    mediaBucket: cloud.bucketName('MediaBucket'),
    filesTable: cloud.tableName('FilesTable'),
    // Empty in a stack without the feature.
    sharesTable: cloud.outputs.ShareTableName ?? '',
    webhookTables: {
      endpoints: cloud.outputs.WebhookEndpointTableName ?? '',
      deliveries: cloud.outputs.WebhookDeliveryTableName ?? '',
    },
    apiKey: await issueKey('tester'),
    cloud,
    generator,
    logs: () => logs,
    printed: () => printed,
    issueKey,
    close,
    [Symbol.asyncDispose]: close,
  };
};
