import * as z from 'zod';
import type { Service } from '../emulators/aws-http/service.ts';
import { type ChangeSet, type ChangeSetOptions, changeSetStore } from './change-sets.ts';
import { queryService } from './query-service.ts';
import type { StackOperations } from './stack-operations.ts';
import {
  findStack,
  listExisting,
  requireIdle,
  requireStack,
  type StackRecord,
  validationError,
} from './stack-record.ts';

const named = z.looseObject({ StackName: z.string().min(1) });

type Options = ChangeSetOptions & { readonly operations: StackOperations };

const EVENTS_PER_PAGE = 100;

/** What `cdk` and the operator commands use of CloudFormation. */
export const cloudFormation = (options: Options): Service => {
  const { home, records, operations } = options;
  const changeSets = changeSetStore(options);
  const require = (name: string): StackRecord => requireStack(records, name);

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

  const summaries = (record: StackRecord) =>
    listExisting(home, record).map(({ logicalId, type, ref }) => ({
      LogicalResourceId: logicalId,
      PhysicalResourceId: ref,
      ResourceType: type,
      ResourceStatus: 'CREATE_COMPLETE',
      LastUpdatedTimestamp: record.created,
    }));

  const execute = (record: StackRecord, { wanted, version }: ChangeSet): Promise<void> => {
    record.roleArn = wanted.RoleARN ?? record.roleArn;
    record.tags = wanted.Tags;
    if (wanted.ChangeSetType === 'IMPORT') return operations.import(record, version);
    return record.status === 'REVIEW_IN_PROGRESS'
      ? operations.create(record, version)
      : operations.update(record, version);
  };

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
      CreateChangeSet: changeSets.create,
      DescribeChangeSet: changeSets.describe,
      DeleteChangeSet: changeSets.remove,
      ExecuteChangeSet: (input) => {
        const changeSet = changeSets.require(input);
        const record = requireIdle(require(changeSet.wanted.StackName));
        changeSet.executed = true;
        void execute(record, changeSet);
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
        const record = findStack(records, StackName);
        if (record === undefined) return;
        if (record.terminationProtection)
          throw validationError(
            `Stack [${record.name}] cannot be deleted while TerminationProtection is enabled`,
          );
        record.roleArn = RoleARN ?? record.roleArn;
        void operations.delete(requireIdle(record));
      },
    },
  });
};
