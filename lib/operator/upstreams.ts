import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { retryOnConflict } from '../../functions/platform/aws/contention.ts';
import { encode } from '../../functions/platform/aws/dynamo.ts';
import { secretReader } from '../../functions/platform/aws/secret.ts';
import { upstreamCredentials } from '../../functions/upstream/adapters/credentials.ts';
import {
  countItem,
  readCounts,
  readUpstreamState,
  upstreamItem,
} from '../../functions/upstream/adapters/dynamo-pool.ts';
import { UpstreamError } from '../../functions/upstream/domain/upstream.ts';
import {
  FAILURES_TO_OPEN,
  pastPlaces,
  pastStarts,
  type Upstream,
  type UpstreamState,
} from '../../functions/upstream/domain/upstreams.ts';
import { upstreamSchema } from '../../functions/upstream/settings.ts';
import { verifyUpstream } from '../../functions/upstream/upstream.ts';
import { dynamoClient } from './dynamo-client.ts';
import { type OperatedStack, OperatorError, type StackTable, stackOutput } from './operated-stack.ts';

/** The upstreams of a stack, from its outputs. */
export const listUpstreams = ({ outputs }: OperatedStack): readonly Upstream[] => {
  const found: Upstream[] = [];
  for (let number = 1; outputs[`Upstream${number}`] !== undefined; number += 1)
    found.push(upstreamSchema.parse(JSON.parse(outputs[`Upstream${number}`] ?? '')));
  if (found.length === 0) stackOutput({ outputs, clientConfig: {} }, 'Upstream1');
  return found;
};

const findUpstream = (stack: OperatedStack, name: string): Upstream => {
  const upstreams = listUpstreams(stack);
  const found = upstreams.find((upstream) => upstream.name === name);
  if (found !== undefined) return found;
  throw new OperatorError(
    `There is no upstream ${name}; the stack has ${upstreams.map((one) => one.name).join(', ')}.`,
  );
};

/** Undefined if the stack has a single upstream without shared state. */
const stateTable = ({ outputs, clientConfig }: OperatedStack): StackTable | undefined => {
  const tableName = outputs.UpstreamTableName;
  return tableName === undefined ? undefined : { tableName, clientConfig };
};

const readItem = async ({ clientConfig, tableName }: StackTable, id: string) => {
  const command = new GetItemCommand({ TableName: tableName, Key: encode({ id }), ConsistentRead: true });
  return (await dynamoClient(clientConfig).send(command)).Item ?? {};
};

const REASONS = {
  busy: 'it asked for a pause',
  quota: 'its quota is used up',
  refused: 'it refuses the credential, requires payment or does not know the model',
  failing: 'its last calls failed',
} as const;

const describeCoolDowns = ({ coolDowns, failures }: UpstreamState, now: number): string[] => {
  const current = [...coolDowns].filter(([, { until }]) => until > now);
  const pauses = current.map(([model, { until, reason }]) => {
    const whole = model === '*' ? '' : ` (${model})`;
    return `pauses until ${new Date(until).toISOString().slice(0, 19)}Z${whole}: ${REASONS[reason]}`;
  });
  if (pauses.length === 0 && failures >= FAILURES_TO_OPEN) return ['is being probed: its last calls failed'];
  return pauses;
};

const describeLimits = (upstream: Upstream, state: UpstreamState, now: number): string[] => {
  const { submitsPerMinute, videosAtOnce } = upstream;
  const starts = state.starts.size - pastStarts(state, now).length;
  const places = state.places.size - pastPlaces(state, now).length;
  return [
    ...(submitsPerMinute === undefined
      ? []
      : [`${starts} of ${submitsPerMinute} submits in the last minute`]),
    ...(videosAtOnce === undefined ? [] : [`${places} of ${videosAtOnce} videos at once`]),
  ];
};

/** One line for each upstream: its state with the reason, its limits and the counts of the UTC day. */
export const describeUpstreams = async (stack: OperatedStack, now: number): Promise<string[]> => {
  const table = stateTable(stack);
  const day = new Date(now).toISOString().slice(0, 10);
  return Promise.all(
    listUpstreams(stack).map(async (upstream) => {
      const { name, kind, priority, weight } = upstream;
      const head = `${name.padEnd(16)} ${kind.padEnd(7)} priority ${priority}, weight ${weight}`;
      if (table === undefined) return `${head}; active (a single upstream has no shared state)`;
      const [item, counted] = await Promise.all([
        readItem(table, upstreamItem(name)),
        readItem(table, countItem(name, day)),
      ]);
      const state = readUpstreamState(item);
      const { accepted, rejected, refused, failed } = readCounts(counted);
      const coolDowns = describeCoolDowns(state, now);
      return [
        head,
        ...(state.isDisabled ? ['disabled'] : coolDowns.length === 0 ? ['active'] : coolDowns),
        ...describeLimits(upstream, state, now),
        `today ${accepted} accepted, ${rejected} rejected, ${refused} refused, ${failed} failed`,
      ].join('; ');
    }),
  );
};

export const setDisabled = async (stack: OperatedStack, name: string, isDisabled: boolean): Promise<void> => {
  findUpstream(stack, name);
  const table = stateTable(stack);
  if (table === undefined)
    throw new OperatorError(
      'The stack has a single upstream, which cannot be disabled: list it in the setting upstreams first.',
    );
  const change = new UpdateItemCommand({
    TableName: table.tableName,
    Key: encode({ id: upstreamItem(name) }),
    // An upstream that is enabled again starts without pauses.
    UpdateExpression: isDisabled ? 'SET disabled = :yes' : 'REMOVE disabled, failures, #pause',
    ...(isDisabled
      ? { ExpressionAttributeValues: encode({ ':yes': true }) }
      : { ExpressionAttributeNames: { '#pause': 'cool_down/*' } }),
  });
  // Workers take and return places of the upstream in transactions.
  await retryOnConflict(() => dynamoClient(table.clientConfig).send(change));
};

const CHECK_TIMEOUT_MS = 15_000;

export type Checked = { readonly name: string; readonly problem: string | undefined };

const describeProblem = (error: unknown): string => {
  if (!(error instanceof UpstreamError)) return error instanceof Error ? error.message : 'unknown problem';
  return error.httpStatus === undefined || error.message.includes(String(error.httpStatus))
    ? error.message
    : `${error.message} (HTTP ${error.httpStatus})`;
};

/** Calls each upstream with its credential, without charge. */
export const checkUpstreams = async (stack: OperatedStack): Promise<readonly Checked[]> => {
  const upstreams = listUpstreams(stack);
  const readSecret = secretReader(stackOutput(stack, 'UpstreamSecretArn'), stack.clientConfig);
  const credentialFor = upstreamCredentials(
    readSecret,
    upstreams.map(({ name }) => name),
  );
  const { config } = dynamoClient(stack.clientConfig);
  const signer = { region: await config.region(), credentials: config.credentials };
  return Promise.all(
    upstreams.map(async (upstream) => {
      const { name } = upstream;
      try {
        await verifyUpstream(upstream, credentialFor(name), signer, CHECK_TIMEOUT_MS);
        return { name, problem: undefined };
      } catch (error) {
        return { name, problem: describeProblem(error) };
      }
    }),
  );
};
