import { basename } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { type AwsCall, startEmulators } from './emulators/start.ts';
import { buildRuntime } from './functions/build-runtime.ts';
import { readFunctions } from './functions/definition.ts';
import { FunctionHost, type FunctionLog, type InvocationResult } from './functions/function-host.ts';
import type { InvocationRecord } from './functions/invocation-record.ts';
import { readApi } from './gateway/api-definition.ts';
import { type RequestLog, startGateway } from './gateway/gateway.ts';
import { provisionBuckets } from './provision/buckets.ts';
import type { ClientConfig } from './provision/client-config.ts';
import { provisionQueues } from './provision/queues.ts';
import { readSecrets, type SecretResolver } from './provision/secrets.ts';
import { provisionTables } from './provision/tables.ts';
import { readEventSources } from './queues/event-sources.ts';
import { type MessageLog, QueuePoller } from './queues/queue-poller.ts';
import { Scheduler } from './schedules/scheduler.ts';
import { readSchedules } from './schedules/schedules.ts';
import { findResource, type ResourceSelector } from './template/find-resource.ts';
import { readSynthesizedStack, type TemplateFiles } from './template/read-template.ts';
import { SUPPORTED_TYPES } from './template/resource-types.ts';
import { createStack } from './template/stack.ts';

const REGION = 'us-east-1';
const ACCOUNT_ID = '000000000000';
const FIRST_SCHEDULED_RUN_MILLISECONDS = 5_000;
const PATIENCE_MILLISECONDS = 1_000;

export interface LocalCloudOptions extends TemplateFiles {
  readonly data: DataFolder;
  /** 0 takes any free port. */
  readonly port: number;
  /** Values of the template's parameters in place of their defaults. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly resolveSecret: SecretResolver;
  /** Off: schedules run only through `runSchedule`. */
  readonly schedules?: boolean;
  readonly onRequest?: (log: RequestLog) => void;
  readonly onMessage?: (log: MessageLog) => void;
  readonly onInvocation?: (record: InvocationRecord) => void;
  readonly onFunctionLog?: (log: FunctionLog) => void;
}

export interface LocalCloud {
  readonly baseUrl: string;
  readonly endpoint: string;
  readonly emulatorsPid: () => number;
  /** For an SDK client that calls as this principal; functions call as their logical ids. */
  readonly clientConfig: (principal: string) => ClientConfig;
  readonly tableName: (selector: ResourceSelector) => string;
  readonly bucketName: (selector: ResourceSelector) => string;
  readonly queueUrl: (selector: ResourceSelector) => string;
  readonly functionId: (selector: ResourceSelector) => string;
  readonly invoke: (selector: ResourceSelector, event: unknown) => Promise<InvocationResult>;
  readonly runSchedule: (selector: ResourceSelector) => Promise<readonly InvocationResult[]>;
  readonly functionProcesses: () => Readonly<Record<string, readonly number[]>>;
  readonly invocations: () => readonly InvocationRecord[];
  readonly calls: () => Promise<readonly AwsCall[]>;
  readonly clearCalls: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Builds everything that the template describes, and nothing that it does not. */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const { data, port, parameters, onRequest, onMessage, onInvocation, onFunctionLog } = options;
  const { template, assetPath } = await readSynthesizedStack(options);
  const home = { region: REGION, accountId: ACCOUNT_ID };
  const environment = { ...home, stackName: basename(options.templateFile).replace(/\..*$/, '') };
  const secrets = readSecrets(createStack(template, environment, parameters), options.resolveSecret);
  const { masterSecret } = data;
  const emulators = await startEmulators({ ...home, dataDir: data.path('emulators'), masterSecret, secrets });
  const { endpoint, credentials } = emulators;
  const clientConfig = (principal: string) => ({
    endpoint,
    region: REGION,
    credentials: credentials(principal),
  });
  const undo = [() => emulators.close()];
  try {
    const stack = createStack(template, { ...environment, endpoint }, parameters);
    const api = readApi(stack);
    const runtimeFile = data.path('functionRuntime');
    const functions = new FunctionHost({
      functions: readFunctions(stack, assetPath),
      access: { region: REGION, endpoint, credentials },
      runtimeFile,
      onLog: onFunctionLog,
      onInvocation,
    });
    const sources = readEventSources(stack);
    const schedules = readSchedules(stack);
    const provisioner = clientConfig('provisioner');
    await Promise.all([
      buildRuntime(runtimeFile),
      provisionTables(stack, provisioner),
      provisionQueues(stack, provisioner),
      provisionBuckets(stack, provisioner),
    ]);
    const gateway = await startGateway({ api, functions, port, onRequest });
    const pollers = sources.map(
      (source) => new QueuePoller({ source, functions, config: clientConfig(source.functionId), onMessage }),
    );
    const scheduler = new Scheduler({
      schedules,
      functions,
      environment,
      firstRunMilliseconds: FIRST_SCHEDULED_RUN_MILLISECONDS,
      automatic: options.schedules ?? true,
    });
    const refOf = (type: string) => (selector: ResourceSelector) =>
      stack.identity(findResource(stack, type, selector)).ref;
    const functionId = (selector: ResourceSelector) =>
      findResource(stack, SUPPORTED_TYPES.function, selector);
    return {
      baseUrl: `http://127.0.0.1:${gateway.port}/${api.stage}`,
      endpoint,
      emulatorsPid: () => emulators.pid,
      clientConfig,
      tableName: refOf(SUPPORTED_TYPES.table),
      bucketName: refOf(SUPPORTED_TYPES.bucket),
      queueUrl: refOf(SUPPORTED_TYPES.queue),
      functionId,
      invoke: (selector, event) => functions.invoke(functionId(selector), JSON.stringify(event)),
      runSchedule: (selector) => scheduler.run(findResource(stack, SUPPORTED_TYPES.rule, selector)),
      functionProcesses: () => functions.processes(),
      invocations: () => functions.invocations(),
      calls: () => emulators.calls(),
      clearCalls: () => emulators.clearCalls(),
      close: async () => {
        scheduler.close();
        const stopped = pollers.map((poller) => poller.stop());
        await Promise.all([gateway.close(), functions.close(PATIENCE_MILLISECONDS), ...stopped]);
        await Promise.all(pollers.map((poller) => poller.close()));
        await emulators.close();
      },
    };
  } catch (error) {
    await Promise.allSettled(undo.map((step) => step()));
    throw error;
  }
}
