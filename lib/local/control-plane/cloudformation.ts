import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import type { Service } from '../emulators/aws-http/service.ts';
import { AwsError } from '../emulators/aws-http/service.ts';
import type { ClientConfig } from '../emulators/start.ts';
import type { AccountResources } from './account-resources.ts';
import { queryService } from './query-service.ts';
import { changedResources, type StackOperations } from './stack-operations.ts';
import {
  type Home,
  newRecord,
  openStack,
  readVersion,
  type StackRecord,
  type Version,
  validationError,
} from './stack-record.ts';

/** CloudFormation's limit for a template in the bucket. */
const MAX_TEMPLATE_BYTES = 1_000_000;

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.union([z.literal('').transform(() => []), z.array(item)]).default([]);

const named = z.looseObject({ StackName: z.string().min(1) });
const changeSetSchema = named.extend({
  ChangeSetName: z.string(),
  ChangeSetType: z.enum(['CREATE', 'UPDATE', 'IMPORT']).default('UPDATE'),
  TemplateURL: z.string().optional(),
  TemplateBody: z.string().optional(),
  RoleARN: z.string().optional(),
  Capabilities: listOf(z.string()),
  Tags: listOf(z.object({ Key: z.string(), Value: z.string() })),
  Parameters: listOf(
    z.object({
      ParameterKey: z.string(),
      ParameterValue: z.string().optional(),
      UsePreviousValue: z.string().optional(),
    }),
  ),
  ResourcesToImport: listOf(
    z.object({
      LogicalResourceId: z.string(),
      ResourceType: z.string(),
      ResourceIdentifier: z.object({
        entry: z.record(z.string(), z.object({ key: z.string(), value: z.string() })),
      }),
    }),
  ),
});
const onChangeSet = z.looseObject({ ChangeSetName: z.string(), StackName: z.string().optional() });
type Wanted = z.output<typeof changeSetSchema>;

type ChangeSet = {
  readonly id: string;
  readonly wanted: Wanted;
  readonly version: Version;
  readonly changes: readonly unknown[];
  executed: boolean;
};

type Options = {
  readonly home: Home;
  /** Of all stacks, also deleted ones. */
  readonly records: StackRecord[];
  readonly operations: StackOperations;
  readonly resources: AccountResources;
  readonly clientConfig: ClientConfig;
  readonly findParameter: (name: string) => string | undefined;
};

const IN_PROGRESS = /_IN_PROGRESS$/;

const EVENTS_PER_PAGE = 100;

/** What `cdk` and the operator commands use of CloudFormation. */
export const cloudFormation = (options: Options): Service => {
  const { home, records, operations, resources, findParameter } = options;
  const changeSets = new Map<string, ChangeSet>();
  /** Operations of a stack run one after another; their outcome is its status. */
  const start = (work: Promise<void>): void => void work.catch((error: unknown) => console.error(error));

  const find = (name: string): StackRecord | undefined =>
    records.findLast(
      (record) => record.id === name || (record.name === name && record.status !== 'DELETE_COMPLETE'),
    );
  const require = (name: string): StackRecord => {
    const found = find(name);
    if (found === undefined) throw validationError(`Stack with id ${name} does not exist`);
    return found;
  };
  const requireIdle = (record: StackRecord, forbidden: RegExp = IN_PROGRESS): StackRecord => {
    if (forbidden.test(record.status) && record.status !== 'REVIEW_IN_PROGRESS')
      throw validationError(`Stack:${record.id} is in ${record.status} state and can not be updated.`);
    return record;
  };

  const download = async (url: string): Promise<string> => {
    const [, bucket = '', ...key] = new URL(url).pathname.split('/');
    const client = new S3Client({ ...options.clientConfig, forcePathStyle: true });
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: key.map(decodeURIComponent).join('/') }),
    );
    const text = (await Body?.transformToString()) ?? '';
    client.destroy();
    if (Buffer.byteLength(text) > MAX_TEMPLATE_BYTES)
      throw validationError(`Template size exceeds the limit of ${MAX_TEMPLATE_BYTES} bytes`);
    return text;
  };

  const readWanted = async (record: StackRecord, wanted: Wanted): Promise<Version> => {
    const { TemplateBody, TemplateURL, Parameters } = wanted;
    const body = TemplateURL === undefined ? (TemplateBody ?? '') : await download(TemplateURL);
    const previous = record.version.parameters;
    const parameters = Parameters.map(({ ParameterKey, ParameterValue = '', UsePreviousValue }) => [
      ParameterKey,
      UsePreviousValue === 'true' ? (previous[ParameterKey] ?? '') : ParameterValue,
    ]);
    return readVersion(home, record.name, {
      body,
      parameters: Object.fromEntries(parameters),
      findParameter,
    });
  };

  const requireCapability = ({ template }: Version, { Capabilities }: Wanted): void => {
    const hasRoles = Object.values(template.Resources).some(({ Type }) => Type.startsWith('AWS::IAM::'));
    const isCapable = Capabilities.some((each) => each.startsWith('CAPABILITY_'));
    if (hasRoles && !isCapable)
      throw new AwsError(
        400,
        'InsufficientCapabilitiesException',
        'Requires capabilities : [CAPABILITY_IAM]',
      );
  };

  /** Takes the names of what is imported, which must exist and may not be deleted by accident. */
  const adopt = async (record: StackRecord, { version, wanted }: ChangeSet): Promise<void> => {
    for (const { LogicalResourceId: id, ResourceIdentifier } of wanted.ResourcesToImport) {
      const resource = version.template.Resources[id];
      const [name = ''] = Object.values(ResourceIdentifier.entry).map(({ value }) => value);
      if (resource === undefined) throw validationError(`The template has no resource ${id} to import.`);
      if (resource.DeletionPolicy === undefined)
        throw validationError(`Resources [${id}] is missing DeletionPolicy attribute to import.`);
      if (!(await resources.exists(resource.Type, name)))
        throw validationError(`The resource ${name} of ${id} does not exist.`);
      const owner = records.find(
        (other) => other.status !== 'DELETE_COMPLETE' && [...other.names.values()].includes(name),
      );
      if (owner !== undefined) throw validationError(`${name} already belongs to the stack ${owner.name}.`);
      // CloudFormation keeps the ARN of a secret; the end is part of every ARN of it.
      record.names.set(id, name.replace(/^arn:[^:]+:secretsmanager:.*:secret:(.+)-\w{6}$/, '$1'));
    }
  };

  const describe = (record: StackRecord) => ({
    StackId: record.id,
    StackName: record.name,
    CreationTime: record.created,
    StackStatus: record.status,
    StackStatusReason: record.reason,
    EnableTerminationProtection: record.terminationProtection,
    RoleARN: record.roleArn,
    Tags: record.tags,
    Capabilities: ['CAPABILITY_NAMED_IAM'],
    Parameters: Object.entries(record.version.parameters).map(([ParameterKey, ParameterValue]) => ({
      ParameterKey,
      ParameterValue,
    })),
    Outputs: Object.entries(record.outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  });

  const summaries = (record: StackRecord) => {
    const stack = openStack(home, record, record.version);
    return [...record.existing].map((id) => ({
      LogicalResourceId: id,
      PhysicalResourceId: stack.identity(id).ref,
      ResourceType: record.version.template.Resources[id]?.Type ?? '',
      ResourceStatus: 'CREATE_COMPLETE',
      LastUpdatedTimestamp: record.created,
    }));
  };

  const createChangeSet = async (input: unknown) => {
    const wanted = changeSetSchema.parse(input);
    const isNew = wanted.ChangeSetType !== 'UPDATE' && find(wanted.StackName) === undefined;
    const record = isNew ? newRecord(home, wanted.StackName) : requireIdle(require(wanted.StackName));
    if (/^(ROLLBACK_COMPLETE|ROLLBACK_FAILED|DELETE_FAILED)$/.test(record.status))
      throw validationError(`Stack:${record.id} is in ${record.status} state and can not be updated.`);
    const version = await readWanted(record, wanted);
    requireCapability(version, wanted);
    const { changed, removed } = changedResources(record.version, version);
    const change = (Action: string) => (resource: { logicalId: string; Type: string }) => ({
      Type: 'Resource',
      ResourceChange: { Action, LogicalResourceId: resource.logicalId, ResourceType: resource.Type },
    });
    const changes = [
      ...changed.map((one) => change(record.existing.has(one.logicalId) ? 'Modify' : 'Add')(one)),
      ...removed.map(change('Remove')),
    ];
    const id = `arn:aws:cloudformation:${home.region}:${home.accountId}:changeSet/${wanted.ChangeSetName}/${crypto.randomUUID()}`;
    const changeSet = { id, wanted, version, changes, executed: false };
    if (wanted.ChangeSetType === 'IMPORT') await adopt(record, changeSet);
    changeSets.set(id, changeSet);
    if (isNew) records.push(record);
    return { Id: id, StackId: record.id };
  };

  const findChangeSet = (input: unknown): ChangeSet | undefined => {
    const { ChangeSetName, StackName = '' } = onChangeSet.parse(input);
    return [...changeSets.values()].findLast(
      ({ id, wanted }) =>
        id === ChangeSetName || (wanted.ChangeSetName === ChangeSetName && StackName === wanted.StackName),
    );
  };
  const requireChangeSet = (input: unknown): ChangeSet => {
    const found = findChangeSet(input);
    if (found !== undefined) return found;
    const name = onChangeSet.parse(input).ChangeSetName;
    throw new AwsError(404, 'ChangeSetNotFound', `ChangeSet [${name}] does not exist`);
  };

  const execute = (record: StackRecord, { wanted, version }: ChangeSet): Promise<void> => {
    record.roleArn = wanted.RoleARN ?? record.roleArn;
    record.tags = wanted.Tags;
    if (wanted.ChangeSetType === 'IMPORT') return operations.import(record, version);
    return record.status === 'REVIEW_IN_PROGRESS'
      ? operations.create(record, version)
      : operations.update(record, version);
  };

  const NO_CHANGES =
    "The submitted information didn't contain changes. Submit different information to create a change set.";

  /** The newest first, in pages: whoever waits for a deployment reads only what is new. */
  const describeEvents = (input: unknown) => {
    const { StackName, NextToken } = named.extend({ NextToken: z.coerce.number().default(0) }).parse(input);
    const { id, name, events } = require(StackName);
    const end = NextToken + EVENTS_PER_PAGE;
    return {
      StackEvents: events
        .toReversed()
        .slice(NextToken, end)
        .map((event) => ({ StackId: id, StackName: name, ...event })),
      NextToken: end < events.length ? end : undefined,
    };
  };

  return queryService({
    namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
    operations: {
      CreateChangeSet: createChangeSet,
      DescribeChangeSet: (input) => {
        const { id, wanted, changes, executed } = requireChangeSet(input);
        const isEmpty = changes.length === 0;
        return {
          ChangeSetId: id,
          ChangeSetName: wanted.ChangeSetName,
          StackName: wanted.StackName,
          StackId: require(wanted.StackName).id,
          Status: isEmpty ? 'FAILED' : 'CREATE_COMPLETE',
          StatusReason: isEmpty ? NO_CHANGES : undefined,
          ExecutionStatus: isEmpty ? 'UNAVAILABLE' : executed ? 'EXECUTE_COMPLETE' : 'AVAILABLE',
          ChangeSetType: wanted.ChangeSetType,
          Changes: changes,
        };
      },
      // Succeeds also if there is none.
      DeleteChangeSet: (input) => void changeSets.delete(findChangeSet(input)?.id ?? ''),
      ExecuteChangeSet: (input) => {
        const changeSet = requireChangeSet(input);
        const record = requireIdle(require(changeSet.wanted.StackName));
        changeSet.executed = true;
        start(execute(record, changeSet));
      },
      DescribeStacks: (input) => {
        const { StackName } = z.looseObject({ StackName: z.string().optional() }).parse(input);
        const found = StackName === undefined ? records : [require(StackName)];
        return { Stacks: found.map(describe) };
      },
      DescribeStackEvents: describeEvents,
      DescribeStackResources: (input) => ({
        StackResources: summaries(require(named.parse(input).StackName)),
      }),
      ListStackResources: (input) => ({
        StackResourceSummaries: summaries(require(named.parse(input).StackName)),
      }),
      GetTemplate: (input) => ({ TemplateBody: require(named.parse(input).StackName).version.body }),
      UpdateTerminationProtection: (input) => {
        const { StackName, EnableTerminationProtection } = named
          .extend({ EnableTerminationProtection: z.stringbool() })
          .parse(input);
        const record = require(StackName);
        record.terminationProtection = EnableTerminationProtection;
        return { StackId: record.id };
      },
      DeleteStack: (input) => {
        const { StackName, RoleARN } = named.extend({ RoleARN: z.string().optional() }).parse(input);
        const record = find(StackName);
        if (record === undefined) return;
        if (record.terminationProtection)
          throw validationError(
            `Stack [${record.name}] cannot be deleted while TerminationProtection is enabled`,
          );
        record.roleArn = RoleARN ?? record.roleArn;
        start(operations.delete(requireIdle(record)));
      },
    },
  });
};
