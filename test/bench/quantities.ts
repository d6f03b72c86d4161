import type { FunctionDefinition } from '../../lib/local/functions/definition.ts';
import type { Activity } from './observed-video.ts';
import type { Quantities } from './prices.ts';
import { sum } from './statistics.ts';

type Sizes = {
  readonly definitions: readonly FunctionDefinition[];
  readonly itemBytes: number;
  readonly taskTable: string;
};

/** Lambda's own lines START, END and REPORT of an invocation. */
const PLATFORM_LOG_BYTES = 400;

const [WRITE_UNIT_BYTES, READ_UNIT_BYTES, GIGABYTE] = [1024, 4096, 1024 ** 3];
/** The due index holds a small part of the item; a new due time is a removal and a put there. */
const DUE_INDEX_UNITS = 2;
/** One page of an index that is read with eventual consistency. */
const QUERY_UNITS = 0.5;

/** The task's item with its account index and its due index; any other put with one index. */
const writeUnits = (resource: string, { itemBytes, taskTable }: Sizes): number => {
  if (!resource.endsWith(`/${taskTable}`)) return 2;
  return 2 * Math.ceil(itemBytes / WRITE_UNIT_BYTES) + DUE_INDEX_UNITS;
};

const gigabyteSeconds = ({ invocations }: Activity, { definitions }: Sizes): number =>
  sum(
    invocations.map(({ functionId, billedMilliseconds }) => {
      const memory = definitions.find(({ logicalId }) => logicalId === functionId)?.memoryMegabytes;
      if (memory === undefined) throw new Error(`nothing is known of ${functionId}`);
      return (memory / 1024) * (billedMilliseconds / 1000);
    }),
  );

/** The quantities that AWS would bill for the counted calls and invocations. */
export const toQuantities = (activity: Activity, sizes: Sizes): Quantities => {
  const { calls, invocations, logBytes } = activity;
  const count = (pattern: RegExp): number => calls.filter(({ action }) => pattern.test(action)).length;
  const writes = calls.filter(({ action }) => /^dynamodb:(Put|Update|Delete)Item$/.test(action));
  return {
    lambdaRequest: invocations.length,
    lambdaGigabyteSecond: gigabyteSeconds(activity, sizes),
    dynamoWriteUnit: sum(writes.map(({ resource }) => writeUnits(resource, sizes))),
    dynamoReadUnit:
      count(/^dynamodb:GetItem$/) * Math.ceil(sizes.itemBytes / READ_UNIT_BYTES) +
      count(/^dynamodb:Query$/) * QUERY_UNITS,
    // A message that is sent is received and deleted as well.
    sqsRequest: count(/^sqs:SendMessage$/) * 3,
    s3WriteRequest: count(/^s3:(PutObject|ListBucket)$/),
    s3ReadRequest: count(/^s3:GetObject$/),
    secretRequest: count(/^secretsmanager:/),
    logGigabyte: (logBytes + invocations.length * PLATFORM_LOG_BYTES) / GIGABYTE,
  };
};
