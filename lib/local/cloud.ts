import { basename } from 'node:path';
import { type ClientConfig, type Emulators, HOME, startEmulators } from './emulators/start.ts';
import { LocalCloudError } from './errors.ts';
import { readApi } from './gateway/api-definition.ts';
import { readBuckets } from './provision/buckets.ts';
import { readQueues } from './provision/queues.ts';
import { readSecrets } from './provision/secrets.ts';
import { type LocalCloudOptions, type Services, startServices } from './services.ts';
import { assertAccepted } from './template/aws-rules.ts';
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

export type LocalCloud = Awaited<ReturnType<typeof startLocalCloud>>;

/** Runs exactly what the template describes. */
export const startLocalCloud = async (options: LocalCloudOptions) => {
  const { data, resolveSecret, restorableAfterSeconds, emulators: spawned } = options;
  const { template, assetPath } = await readSynthesizedStack(options);
  const environment = { ...HOME, stackName: basename(options.templateFile).replace(/\..*$/, '') };
  assertAccepted(template, environment);
  const stackWithoutEndpoint = createStack(template, environment);
  const api = readApi(stackWithoutEndpoint);
  const emulators = await startEmulators(
    {
      ...HOME,
      dataDir: data.path('emulators'),
      masterSecret: data.masterSecret,
      secrets: await readSecrets(stackWithoutEndpoint, resolveSecret, data.path('secrets')),
      queues: readQueues(stackWithoutEndpoint),
      buckets: readBuckets(stackWithoutEndpoint),
      listablePrefixes: listablePrefixes(stackWithoutEndpoint),
      ...(restorableAfterSeconds !== undefined && { restorableAfterSeconds }),
    },
    spawned,
  );
  const { endpoint } = emulators;
  /** For an SDK client with this principal; functions call with their logical ids. */
  const clientConfig = (principal: string): ClientConfig => ({
    endpoint,
    region: HOME.region,
    credentials: emulators.credentials(principal),
  });
  try {
    const stack = createStack(template, { ...environment, endpoint });
    const services = await startServices({ stack, api, assetPath, endpoint, clientConfig, options });
    return { endpoint, clientConfig, ...controls(stack, emulators, services) };
  } catch (error) {
    await emulators.close();
    throw error;
  }
};

const controls = (stack: Stack, emulators: Emulators, { baseUrl, functions, scheduler, close }: Services) => {
  const find = (type: keyof typeof SUPPORTED_TYPES, selector: ResourceSelector) =>
    findResource(stack, SUPPORTED_TYPES[type], selector);
  const findRef = (type: keyof typeof SUPPORTED_TYPES) => (selector: ResourceSelector) =>
    stack.identity(find(type, selector)).ref;
  /** Of the stack, with the local base URL. */
  const outputs: Readonly<Record<string, string>> = { ...stack.outputs(), BaseUrl: `${baseUrl}/` };
  return {
    tableName: findRef('table'),
    bucketName: findRef('bucket'),
    queueUrl: findRef('queue'),
    functionId: (selector: ResourceSelector) => find('function', selector),
    baseUrl,
    outputs,
    emulatorsPid: () => emulators.pid,
    /** Resolves when the disk fails; the cloud is unusable from then on. */
    failed: emulators.failed,
    invoke: (selector: ResourceSelector, event: unknown) =>
      functions.invoke(find('function', selector), JSON.stringify(event)),
    runSchedule: (selector: ResourceSelector) => scheduler.run(find('rule', selector)),
    /** The credentials of the functions, each with the role that it assumes. */
    roles: () =>
      stack.resources(SUPPORTED_TYPES.function).map(({ logicalId }) => ({
        ...emulators.credentials(logicalId),
        arn: `arn:aws:sts::${HOME.accountId}:assumed-role/${logicalId}/${stack.identity(logicalId).ref}`,
      })),
    /** Running executions of all functions. */
    executions: () => functions.executions(),
    /** Throttled invocations by function. */
    throttles: () => functions.throttles(),
    functionProcesses: () => functions.processes(),
    endProcesses: (selector: ResourceSelector) => functions.endProcesses(find('function', selector)),
    invocations: () => functions.invocations(),
    calls: emulators.calls,
    clearCalls: emulators.clearCalls,
    close: async () => {
      await close();
      await emulators.close();
    },
  };
};
