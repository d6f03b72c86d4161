import { randomUUID } from 'node:crypto';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { AwsError } from '../emulators/aws-http/service.ts';
import type { ClientConfig } from '../emulators/start.ts';
import type { AccountResources } from './account-resources.ts';
import { changedResources } from './stack-operations.ts';
import {
  findStack,
  type Home,
  newRecord,
  readVersion,
  requireIdle,
  requireStack,
  type StackRecord,
  type Version,
  validationError,
} from './stack-record.ts';

/** CloudFormation's limit for a template in the bucket. */
const MAX_TEMPLATE_BYTES = 1_000_000;

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.union([z.literal('').transform(() => []), z.array(item)]).default([]);

const changeSetSchema = z.looseObject({
  StackName: z.string().min(1),
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

export type ChangeSet = {
  readonly id: string;
  readonly stackId: string;
  readonly wanted: Wanted;
  readonly version: Version;
  readonly changes: readonly unknown[];
  executed: boolean;
};

export type ChangeSetOptions = {
  readonly home: Home;
  /** Of all stacks, also deleted ones. */
  readonly records: StackRecord[];
  readonly resources: AccountResources;
  readonly clientConfig: ClientConfig;
  readonly findParameter: (name: string) => string | undefined;
};

const NO_CHANGES =
  "The submitted information didn't contain changes. Submit different information to create a change set.";

/** What is to change, until it is executed. */
export const changeSetStore = ({
  home,
  records,
  resources,
  findParameter,
  clientConfig,
}: ChangeSetOptions) => {
  const changeSets = new Map<string, ChangeSet>();

  const download = async (url: string): Promise<string> => {
    const [, bucket = '', ...key] = new URL(url).pathname.split('/');
    const client = new S3Client({ ...clientConfig, forcePathStyle: true });
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

  const createChangeSet = async (input: unknown) => {
    const wanted = changeSetSchema.parse(input);
    const isNew = wanted.ChangeSetType !== 'UPDATE' && findStack(records, wanted.StackName) === undefined;
    const record = isNew
      ? newRecord(home, wanted.StackName)
      : requireIdle(requireStack(records, wanted.StackName));
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
    const id = `arn:aws:cloudformation:${home.region}:${home.accountId}:changeSet/${wanted.ChangeSetName}/${randomUUID()}`;
    const changeSet = { id, stackId: record.id, wanted, version, changes, executed: false };
    if (wanted.ChangeSetType === 'IMPORT') await adopt(record, changeSet);
    changeSets.set(id, changeSet);
    if (isNew) records.push(record);
    return { Id: id, StackId: record.id };
  };

  /** A deleted stack and the next one of its name can have change sets of the same name. */
  const findChangeSet = (input: unknown): ChangeSet | undefined => {
    const { ChangeSetName, StackName = '' } = onChangeSet.parse(input);
    const owner = findStack(records, StackName)?.id;
    return [...changeSets.values()].findLast(
      ({ id, stackId, wanted }) =>
        id === ChangeSetName || (wanted.ChangeSetName === ChangeSetName && stackId === owner),
    );
  };
  const requireChangeSet = (input: unknown): ChangeSet => {
    const found = findChangeSet(input);
    if (found !== undefined) return found;
    const name = onChangeSet.parse(input).ChangeSetName;
    throw new AwsError(404, 'ChangeSetNotFound', `ChangeSet [${name}] does not exist`);
  };

  return {
    create: createChangeSet,
    require: requireChangeSet,
    // Succeeds also if there is none.
    remove: (input: unknown): void => void changeSets.delete(findChangeSet(input)?.id ?? ''),
    describe: (input: unknown) => {
      const { id, stackId, wanted, changes, executed } = requireChangeSet(input);
      const isEmpty = changes.length === 0;
      return {
        ChangeSetId: id,
        ChangeSetName: wanted.ChangeSetName,
        StackName: wanted.StackName,
        StackId: stackId,
        Status: isEmpty ? 'FAILED' : 'CREATE_COMPLETE',
        StatusReason: isEmpty ? NO_CHANGES : undefined,
        ExecutionStatus: isEmpty ? 'UNAVAILABLE' : executed ? 'EXECUTE_COMPLETE' : 'AVAILABLE',
        ChangeSetType: wanted.ChangeSetType,
        Changes: changes,
      };
    },
  };
};
