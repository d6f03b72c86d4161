import { basename } from 'node:path';

import { type AwsCall, type ClientConfig, type Emulators, HOME, startEmulators } from './emulators/start.ts';
import { LocalCloudError } from './errors.ts';
import type { InvocationResult } from './functions/function-host.ts';
import type { InvocationRecord } from './functions/invocation.ts';
import { readApi } from './gateway/api-definition.ts';
import { readAlarms } from './provision/alarms.ts';
import { readSecrets } from './provision/secrets.ts';
import { type LocalCloudOptions, type Services, startServices } from './services.ts';
import { listablePrefixes } from './template/policies.ts';
import { SUPPORTED_TYPES } from './template/resource-types.ts';
import { createStack, type Stack } from './template/stack.ts';
import { type Resource, readSynthesizedStack } from './template/template.ts';

/** A logical id, with or without the hash that CDK appends, or a predicate. */
type ResourceSelector = string | ((resource: Resource) => boolean);

const HASH = /[0-9A-F]{8}$/;

const findResource = (stack: Stack, type: string, selector: ResourceSelector): string => {
  const isSelected =
    typeof selector === 'function'
      ? selector
      : ({ logicalId }: Resource) => logicalId === selector || logicalId.replace(HASH, '') === selector;
  const [found, ...others] = stack.resources(type).filter(isSelected);
  if (found !== undefined && others.length === 0) return found.logicalId;
  const ids = stack.resources(type).map(({ logicalId }) => logicalId);
  throw new LocalCloudError(`${selector} does not select one ${type}. The template has: ${ids.join(', ')}.`);
};

export type LocalCloud = {
  readonly baseUrl: string;
  readonly endpoint: string;
  readonly emulatorsPid: () => number;
  /** Resolves when the disk fails; the cloud is unusable from then on. */
  readonly failed: Promise<LocalCloudError>;
  /** For an SDK client with this principal; functions call with their logical ids. */
  readonly clientConfig: (principal: string) => ClientConfig;
  /** The outputs of the stack, with the local base URL. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly tableName: (selector: ResourceSelector) => string;
  readonly bucketName: (selector: ResourceSelector) => string;
  readonly queueUrl: (selector: ResourceSelector) => string;
  readonly functionId: (selector: ResourceSelector) => string;
  readonly invoke: (selector: ResourceSelector, event: unknown) => Promise<InvocationResult>;
  readonly runSchedule: (selector: ResourceSelector) => Promise<readonly InvocationResult[]>;
  /** Running executions of all functions. */
  readonly executions: () => number;
  /** Throttled invocations by function. */
  readonly throttles: () => Readonly<Record<string, number>>;
  readonly roles: () => readonly { accessKeyId: string; secretAccessKey: string; arn: string }[];
  readonly functionProcesses: () => Readonly<Record<string, readonly number[]>>;
  readonly invocations: () => readonly InvocationRecord[];
  readonly calls: () => Promise<readonly AwsCall[]>;
  readonly clearCalls: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Runs exactly what the template describes. */
export const startLocalCloud = async (options: LocalCloudOptions): Promise<LocalCloud> => {
  const { data, resolveSecret, restorableAfterSeconds, emulators: spawned } = options;
  const { template, assetPath } = await readSynthesizedStack(options);
  const environment = { ...HOME, stackName: basename(options.templateFile).replace(/\..*$/, '') };
  const stackWithoutEndpoint = createStack(template, environment);
  // An API that AWS would reject is reported before anything starts.
  const api = readApi(stackWithoutEndpoint);
  const emulators = await startEmulators(
    {
      ...HOME,
      dataDir: data.path('emulators'),
      masterSecret: data.masterSecret,
      secrets: await readSecrets(stackWithoutEndpoint, resolveSecret, data.path('secrets')),
      listablePrefixes: listablePrefixes(stackWithoutEndpoint),
      deployedAlarms: readAlarms(stackWithoutEndpoint),
      ...(restorableAfterSeconds !== undefined && { restorableAfterSeconds }),
    },
    spawned,
  );
  const { endpoint } = emulators;
  const clientConfig = (principal: string): ClientConfig => ({
    endpoint,
    region: HOME.region,
    credentials: emulators.credentials(principal),
  });
  try {
    const stack = createStack(template, { ...environment, endpoint });
    const services = await startServices({ stack, api, assetPath, endpoint, clientConfig, options });
    return { endpoint, clientConfig, ...resourceNames(stack), ...controls(stack, emulators, services) };
  } catch (error) {
    await emulators.close();
    throw error;
  }
};

const resourceNames = (stack: Stack) => {
  const findRef = (type: string) => (selector: ResourceSelector) =>
    stack.identity(findResource(stack, type, selector)).ref;
  return {
    tableName: findRef(SUPPORTED_TYPES.table),
    bucketName: findRef(SUPPORTED_TYPES.bucket),
    queueUrl: findRef(SUPPORTED_TYPES.queue),
    functionId: (selector: ResourceSelector) => findResource(stack, SUPPORTED_TYPES.function, selector),
  };
};

const controls = (stack: Stack, emulators: Emulators, { baseUrl, functions, scheduler, close }: Services) => {
  const find = (type: string, selector: ResourceSelector) => findResource(stack, type, selector);
  return {
    baseUrl,
    outputs: { ...stack.outputs(), BaseUrl: `${baseUrl}/` },
    emulatorsPid: () => emulators.pid,
    failed: emulators.failed,
    invoke: (selector: ResourceSelector, event: unknown) =>
      functions.invoke(find(SUPPORTED_TYPES.function, selector), JSON.stringify(event)),
    runSchedule: (selector: ResourceSelector) => scheduler.run(find(SUPPORTED_TYPES.rule, selector)),
    /** The credentials of the functions, each with the role that it assumes. */
    roles: () =>
      stack.resources(SUPPORTED_TYPES.function).map(({ logicalId }) => ({
        ...emulators.credentials(logicalId),
        arn: `arn:aws:sts::${HOME.accountId}:assumed-role/${logicalId}/${stack.identity(logicalId).ref}`,
      })),
    executions: () => functions.executions(),
    throttles: () => functions.throttles(),
    functionProcesses: () => functions.processes(),
    invocations: () => functions.invocations(),
    calls: () => emulators.calls(),
    clearCalls: () => emulators.clearCalls(),
    close: async () => {
      await close();
      await emulators.close();
    },
  };
};
