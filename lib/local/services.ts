import type { ChildProcess } from 'node:child_process';
import type { DataFolder } from './data-folder.ts';
import type { ClientConfig } from './emulators/start.ts';
import { AsynchronousInvocations, readEventAges } from './events/asynchronous-invocations.ts';
import { readEventSources } from './events/event-sources.ts';
import { type PollerSettings, QueuePoller } from './events/queue-poller.ts';
import { readSchedules, Scheduler } from './events/schedules.ts';
import { readFunctions } from './functions/definition.ts';
import { FunctionHost, type HostSettings } from './functions/function-host.ts';
import { BUNDLED_RUNTIME, buildRuntime } from './functions/function-process.ts';
import type { ApiDefinition } from './gateway/api-definition.ts';
import { type GatewaySettings, startGateway } from './gateway/gateway.ts';
import type { SecretResolver } from './provision/secrets.ts';
import { provisionTables } from './provision/tables.ts';
import type { Stack } from './template/stack.ts';
import type { SynthesizedStack, TemplateFiles } from './template/template.ts';

export type ServiceOptions = HostSettings &
  GatewaySettings &
  PollerSettings & {
    readonly data: DataFolder;
    /** If false, schedules run only through `runSchedule`. */
    readonly schedules?: boolean;
    /** Addresses on this machine that stand in for others, in the variables of functions. */
    readonly standIns?: Readonly<Record<string, string>>;
  };

export type LocalCloudOptions = TemplateFiles &
  ServiceOptions & {
    readonly resolveSecret: SecretResolver;
    /** How long ago the latest moment is that a table can be restored to; default as on AWS. */
    readonly restorableAfterSeconds?: number;
    /** The process of the emulators, if it was started earlier, while the template did not exist. */
    readonly emulators?: ChildProcess;
  };

const CLOSE_TIMEOUT_MS = 1_000;
const LAMBDA = 'lambda.amazonaws.com';

type ServicesInput = {
  readonly stack: Stack;
  readonly api: ApiDefinition;
  readonly assetPath: SynthesizedStack['assetPath'];
  readonly endpoint: string;
  readonly clientConfig: (principal: string) => ClientConfig;
  readonly options: ServiceOptions;
};

export type Services = Awaited<ReturnType<typeof startServices>>;

/** Starts the gateway, the queue pollers and the schedules. Reads the whole template first, so that errors show early. */
export const startServices = async (input: ServicesInput) => {
  const { stack, api, endpoint, clientConfig, options } = input;
  const { region } = stack.environment;
  const sources = readEventSources(stack);
  const eventAges = readEventAges(stack);
  const schedules = readSchedules(stack, eventAges);
  const builtRuntime = process.env[BUNDLED_RUNTIME];
  const runtimeFile = builtRuntime ?? options.data.path('functionRuntime');
  const functions = new FunctionHost({
    ...options,
    functions: readFunctions(stack, input.assetPath),
    access: {
      region,
      endpoint,
      credentials: (principal) => clientConfig(principal).credentials,
      standIns: options.standIns ?? {},
    },
    runtimeFile,
    concurrencyQuota: stack.concurrencyQuota,
  });
  await Promise.all([
    builtRuntime ?? buildRuntime(runtimeFile),
    provisionTables(stack, clientConfig('provisioner')),
  ]);
  const gateway = await startGateway({ ...options, api, functions });
  const lambdaConfig = clientConfig(LAMBDA);
  const pollers = sources.map((source) => {
    const config = clientConfig(source.functionId);
    return new QueuePoller({ ...options, source, functions, config, lambdaConfig });
  });
  const events = new AsynchronousInvocations({ functions, eventAges });
  const scheduler = new Scheduler({
    ...options,
    schedules,
    functions: events,
    environment: stack.environment,
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
