import type { ChildProcess } from 'node:child_process';
import type { DataFolder } from './data-folder.ts';
import type { ClientConfig } from './emulators/start.ts';
import type { OnError } from './errors.ts';
import { AsynchronousInvocations, readEventAges } from './events/asynchronous-invocations.ts';
import { readEventSources } from './events/event-sources.ts';
import { type MessageLog, QueuePoller } from './events/queue-poller.ts';
import { readSchedules, Scheduler } from './events/schedules.ts';
import { readFunctions } from './functions/definition.ts';
import { FunctionHost, type FunctionLog } from './functions/function-host.ts';
import { BUNDLED_RUNTIME, buildRuntime, type StartChild } from './functions/function-process.ts';
import type { InvocationRecord } from './functions/invocation.ts';
import type { ApiDefinition } from './gateway/api-definition.ts';
import { type RequestLog, startGateway } from './gateway/gateway.ts';
import { provisionBuckets } from './provision/buckets.ts';
import { provisionQueues } from './provision/queues.ts';
import type { SecretResolver } from './provision/secrets.ts';
import { provisionTables } from './provision/tables.ts';
import type { Stack } from './template/stack.ts';
import type { SynthesizedStack, TemplateFiles } from './template/template.ts';

export type LocalCloudOptions = TemplateFiles & {
  readonly data: DataFolder;
  /** 0 chooses any free port. */
  readonly port: number;
  readonly resolveSecret: SecretResolver;
  /** How long ago the latest moment is that a table can be restored to; default as on AWS. */
  readonly restorableAfterSeconds?: number;
  /** Fills the folder of a function's code before its first event; by default the folder is complete. */
  readonly loadCode?: (bundle: string) => Promise<void>;
  /** Runs a function's code; by default in a process. */
  readonly startChild?: StartChild;
  /** The process of the emulators, if it was started earlier, while the template did not exist. */
  readonly emulators?: ChildProcess;
  /** If false, schedules run only through `runSchedule`. */
  readonly schedules?: boolean;
  readonly onRequest?: (log: RequestLog) => void;
  readonly onMessage?: (log: MessageLog) => void;
  readonly onError?: OnError;
  readonly onInvocation?: (record: InvocationRecord) => void;
  /** Receives the logical id of a throttled function. */
  readonly onThrottle?: (functionId: string) => void;
  readonly onFunctionLog?: (log: FunctionLog) => void;
};

/** Creates missing resources; existing data stays. */
const provision = async (stack: Stack, config: ClientConfig): Promise<void> => {
  await Promise.all([
    provisionTables(stack, config),
    provisionQueues(stack, config),
    provisionBuckets(stack, config),
  ]);
};

const FIRST_SCHEDULED_RUN_MILLISECONDS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;
const LAMBDA = 'lambda.amazonaws.com';

type ServicesInput = {
  readonly stack: Stack;
  readonly api: ApiDefinition;
  readonly assetPath: SynthesizedStack['assetPath'];
  readonly endpoint: string;
  readonly clientConfig: (principal: string) => ClientConfig;
  readonly options: LocalCloudOptions;
};

export type Services = {
  readonly baseUrl: string;
  readonly functions: FunctionHost;
  readonly scheduler: Scheduler;
  readonly close: () => Promise<void>;
};

/** Starts the gateway, the queue pollers and the schedules. Reads the whole template first, so that errors show early. */
export const startServices = async (input: ServicesInput): Promise<Services> => {
  const { stack, api, endpoint, clientConfig, options } = input;
  const { region } = stack.environment;
  const sources = readEventSources(stack);
  const eventAges = readEventAges(stack);
  const schedules = readSchedules(stack, eventAges);
  const builtRuntime = process.env[BUNDLED_RUNTIME];
  const runtimeFile = builtRuntime ?? options.data.path('functionRuntime');
  const functions = new FunctionHost({
    functions: readFunctions(stack, input.assetPath),
    access: { region, endpoint, credentials: (principal) => clientConfig(principal).credentials },
    runtimeFile,
    loadCode: options.loadCode,
    startChild: options.startChild,
    onLog: options.onFunctionLog,
    onInvocation: options.onInvocation,
    concurrencyQuota: stack.concurrencyQuota,
    onThrottle: options.onThrottle,
  });
  await Promise.all([
    builtRuntime ?? buildRuntime(runtimeFile),
    provision(stack, clientConfig('provisioner')),
  ]);
  const { onError } = options;
  const gateway = await startGateway({
    api,
    functions,
    port: options.port,
    onRequest: options.onRequest,
    onError,
  });
  const pollers = sources.map((source) => {
    const config = clientConfig(source.functionId);
    const lambdaConfig = clientConfig(LAMBDA);
    return new QueuePoller({
      source,
      functions,
      config,
      lambdaConfig,
      onMessage: options.onMessage,
      onError,
    });
  });
  const events = new AsynchronousInvocations({ functions, eventAges });
  const scheduler = new Scheduler({
    onError,
    schedules,
    functions: events,
    environment: stack.environment,
    firstRunMilliseconds: FIRST_SCHEDULED_RUN_MILLISECONDS,
    automatic: options.schedules ?? true,
  });
  const close = async () => {
    scheduler.close();
    events.close();
    const stopped = pollers.map((poller) => poller.stop());
    await Promise.all([gateway.close(), functions.close(CLOSE_TIMEOUT_MS), ...stopped]);
    await Promise.all(pollers.map((poller) => poller.close()));
  };
  // As on AWS, the host name differs from that of S3: some clients forward keys to the same host name.
  return { baseUrl: `http://localhost:${gateway.port}/${api.stage}`, functions, scheduler, close };
};
