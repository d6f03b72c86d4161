import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { openDataFolder } from '../data-folder.ts';
import { callLog, createAwsServer } from '../emulators/aws-http/server.ts';
import type { Service } from '../emulators/aws-http/service.ts';
import { type ClientConfig, HOME, startEmulators } from '../emulators/start.ts';
import type { OnError } from '../errors.ts';
import { readPort } from '../loopback.ts';
import type { Resource } from '../template/template.ts';
import { AccountResources } from './account-resources.ts';
import { forwardTo, lambdaAccount, parameterStore } from './account-services.ts';
import { cloudFormation } from './cloudformation.ts';
import { Deployments } from './deployments.ts';
import { managedPolicies, securityTokens } from './identity.ts';
import { Permissions } from './permissions.ts';
import { StackOperations } from './stack-operations.ts';
import { type ExistingResource, listExisting, openStack, type StackRecord } from './stack-record.ts';

type Options = {
  /** Everything that the account contains; another start with this folder is another account. */
  readonly folder: string;
  readonly concurrentExecutions?: number;
  /** The reason why a resource fails, for rehearsals of failures. */
  readonly failAt?: (resource: Resource, operation: string) => string | undefined;
  /** Addresses on this machine that stand in for others, in the variables of functions. */
  readonly standIns?: Readonly<Record<string, string>>;
  readonly onError?: OnError;
};

const parameterSchema = z.looseObject({ Name: z.string(), Value: z.unknown() });

/** An AWS account on this machine, as far as `cdk` and the operator commands see it. */
export const startControlPlane = async ({ folder, concurrentExecutions = 1000, ...options }: Options) => {
  const data = await openDataFolder(folder);
  const emulators = await startEmulators({
    ...HOME,
    dataDir: data.path('emulators'),
    masterSecret: data.masterSecret,
    secrets: {},
    // A rehearsal does not wait for the five minutes of AWS.
    restorableAfterSeconds: 0,
  });
  const { endpoint } = emulators;
  const clientConfig = (principal: string): ClientConfig => ({
    endpoint,
    region: HOME.region,
    credentials: emulators.credentials(principal),
  });
  const home = { ...HOME, endpoint };
  const resources = new AccountResources(emulators, clientConfig('cloudformation'), data.path('secrets'));
  const deployments = new Deployments({
    ...options,
    data,
    endpoint,
    clientConfig,
    codeFolder: join(folder, 'code'),
  });
  const stacks: StackRecord[] = [];
  /** Values of a property of all resources of a type. */
  const findAll = (type: string) =>
    stacks.flatMap((record) => {
      const stack = openStack(home, record, record.version);
      return stack
        .resources(type)
        .filter(({ logicalId }) => record.existing.has(logicalId))
        .map((resource) => ({ stack, resource, record }));
    });
  const findParameter = (name: string): string | undefined => {
    const values = findAll('AWS::SSM::Parameter').map(({ stack, resource }) =>
      parameterSchema.parse(stack.resolve(resource.Properties, resource.logicalId)),
    );
    const found = values.find(({ Name }) => Name === name);
    return found === undefined ? undefined : String(found.Value);
  };
  /** The properties of a role that a stack has created. */
  const findRole = (name: string): unknown => {
    const found = findAll('AWS::IAM::Role').find(
      ({ stack, resource }) => stack.identity(resource.logicalId).ref === name,
    );
    return found?.stack.resolve(found.resource.Properties, name);
  };
  const policies = managedPolicies(home);
  const permissions = new Permissions({ home, findRole, findDocument: policies.document });
  const operations = new StackOperations({
    home,
    resources,
    deployments,
    refuse: async (record, resource, operation) =>
      options.failAt?.(resource, operation) ??
      (operation === 'DELETE' ? undefined : record.version.refusals().get(resource.logicalId)) ??
      (await permissions.refuse(record, resource)),
  });
  const services = new Map<string, Service>([
    [
      'sts',
      securityTokens({
        home,
        credentials: emulators.credentials,
        mayAssume: async (principal, role, arn) =>
          findRole(role) !== undefined && permissions.mayAssume(principal, arn),
      }),
    ],
    ['iam', policies.service],
    ['ssm', parameterStore(findParameter)],
    ['lambda', lambdaAccount(concurrentExecutions)],
    [
      'cloudformation',
      cloudFormation({
        home,
        records: stacks,
        operations,
        resources,
        findParameter,
        clientConfig: clientConfig('cloudformation'),
      }),
    ],
    ['s3', forwardTo(endpoint, 'xml')],
    ...['dynamodb', 'sqs', 'secretsmanager'].map((name) => [name, forwardTo(endpoint, 'json')] as const),
  ]);
  const { masterSecret } = data;
  const server = createAwsServer({ services, region: HOME.region, masterSecret, log: callLog() });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  /** The variables with which a shell has the credentials of a principal. */
  const credentialVariables = (principal: string) => {
    const { accessKeyId, secretAccessKey } = emulators.credentials(principal);
    return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  };
  return {
    /** For a shell, in place of an account and its administrator. */
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${readPort(server)}`,
      AWS_REGION: HOME.region,
      ...credentialVariables('administrator'),
    },
    accountId: HOME.accountId,
    stacks: (): readonly StackRecord[] => stacks,
    /** Tables, buckets, queues and secrets of the newest stack of this name that are still there. */
    dataResources: async (name: string): Promise<readonly ExistingResource[]> => {
      const record = stacks.findLast((one) => one.name === name);
      const all = record === undefined ? [] : listExisting(home, record);
      const there = await Promise.all(all.map(({ type, ref }) => resources.exists(type, ref)));
      return all.filter((_, index) => there[index]);
    },
    /** Adds a principal with these policies alone, and returns the variables with its credentials. */
    addPrincipal: (principal: string, documents: readonly unknown[]) => {
      permissions.addPrincipal(principal, documents);
      return credentialVariables(principal);
    },
    /** How often CloudFormation needed a permission of a role with policies of the account. */
    authorizedCalls: permissions.count,
    close: async () => {
      await deployments.close();
      server.close();
      server.closeAllConnections();
      resources.close();
      await emulators.close();
      await data.release();
    },
  };
};
