import { GetItemCommand, UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { encode } from '../../functions/platform/aws/attributes.ts';
import { retryOnConflict } from '../../functions/platform/aws/contention.ts';
import { secretReader } from '../../functions/platform/aws/secret.ts';
import { upstreamCredentials } from '../../functions/upstream/adapters/credentials.ts';
import {
  coolDownNames,
  countItem,
  readCounts,
  readUpstreamState,
  upstreamItem,
} from '../../functions/upstream/adapters/dynamo-pool.ts';
import { probeUpstream } from '../../functions/upstream/clients.ts';
import { UpstreamError } from '../../functions/upstream/domain/faults.ts';
import { lifecycleWarnings } from '../../functions/upstream/domain/lifecycle.ts';
import {
  FAILURES_TO_OPEN,
  pastPlaces,
  pastStarts,
  type UpstreamState,
} from '../../functions/upstream/domain/upstream-state.ts';
import { credentialName, type Upstream } from '../../functions/upstream/domain/upstreams.ts';
import { upstreamSchema } from '../../functions/upstream/kinds/kinds.ts';
import { forgetRetirements } from '../../functions/videos/adapters/step-queue.ts';
import { dynamoClient } from './dynamo-client.ts';
import {
  type OperatedStack,
  OperatorError,
  type StackTable,
  stackOutput,
  stackTable,
} from './operated-stack.ts';

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
  refused: 'it refuses the credential or requires payment',
  failing: 'its last calls failed',
  retired: 'it no longer offers the model',
} as const;

const describeUnreadable = (unreadable: readonly string[]): string[] =>
  unreadable.length === 0 ? [] : [`not readable: ${unreadable.join(', ')} (enable removes it)`];

const describeCoolDowns = ({ coolDowns, failures }: UpstreamState, now: number): string[] => {
  const current = [...coolDowns].filter(([, { until }]) => until > now);
  const pauses = current.map(([model, { until, reason }]) => {
    const whole = model === '*' ? '' : ` (${model.replace('retired/', '')})`;
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
      const { state, unreadable } = readUpstreamState(item);
      const { accepted, rejected, refused, failed } = readCounts(counted);
      const coolDowns = describeCoolDowns(state, now);
      return [
        head,
        ...(state.isDisabled ? ['disabled'] : coolDowns.length === 0 ? ['active'] : coolDowns),
        ...describeUnreadable(unreadable),
        ...describeLimits(upstream, state, now),
        `today ${accepted} accepted, ${rejected} rejected, ${refused} refused, ${failed} failed`,
      ].join('; ');
    }),
  );
};

type Change = Pick<
  UpdateItemCommandInput,
  'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

const changeState = async ({ tableName, clientConfig }: StackTable, name: string, change: Change) => {
  const command = new UpdateItemCommand({
    TableName: tableName,
    Key: encode({ id: upstreamItem(name) }),
    ...change,
  });
  // Workers take and return places of the upstream in transactions.
  await retryOnConflict(() => dynamoClient(clientConfig).send(command));
};

export const disableUpstream = async (stack: OperatedStack, name: string): Promise<void> => {
  findUpstream(stack, name);
  const table = stateTable(stack);
  if (table === undefined)
    throw new OperatorError(
      'The stack has a single upstream, which cannot be disabled: add another one to the setting upstreams first.',
    );
  await changeState(table, name, {
    UpdateExpression: 'SET disabled = :yes',
    ExpressionAttributeValues: encode({ ':yes': true }),
  });
};

/** An upstream that is enabled again starts without pauses; models that it had retired are asked for again. */
export const enableUpstream = async (stack: OperatedStack, name: string): Promise<void> => {
  findUpstream(stack, name);
  const tasks = stackTable(stack, 'TaskTableName');
  await forgetRetirements(dynamoClient(tasks.clientConfig), tasks.tableName);
  const table = stateTable(stack);
  if (table === undefined) return;
  const item = await readItem(table, upstreamItem(name));
  const { unreadable } = readUpstreamState(item);
  // Pauses are removed by their names, so that one that cannot be read goes with the others.
  const removed = new Set(['disabled', 'failures', ...coolDownNames(item), ...unreadable]);
  const places = [...removed].map((attribute, index) => [`#place${index}`, attribute] as const);
  await changeState(table, name, {
    UpdateExpression: `REMOVE ${places.map(([place]) => place).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(places),
  });
};

const CHECK_TIMEOUT_MS = 15_000;

/** One line of the check: an upstream whose credential does not work, or one of its models. */
type Checked = { readonly subject: string; readonly result: string; readonly isProblem: boolean };

const RESULTS = {
  offered: 'works',
  missing: 'is not offered there: set another name in models',
  unknown: 'is not listed, because the upstream has no list of models',
} as const;

const describeProblem = (error: unknown): string => {
  if (!(error instanceof UpstreamError)) return error instanceof Error ? error.message : 'unknown problem';
  return error.httpStatus === undefined || error.message.includes(String(error.httpStatus))
    ? error.message
    : `${error.message} (HTTP ${error.httpStatus})`;
};

/** Calls each upstream with its credential and looks up its models, without charge. */
export const checkUpstreams = async (stack: OperatedStack): Promise<readonly Checked[]> => {
  const upstreams = listUpstreams(stack);
  const readSecret = secretReader(stackOutput(stack, 'UpstreamSecretArn'), stack.clientConfig);
  const credentialFor = upstreamCredentials(readSecret, upstreams.map(credentialName));
  const { config } = dynamoClient(stack.clientConfig);
  const signer = { region: await config.region(), credentials: config.credentials };
  const checked = await Promise.all(
    upstreams.map(async (upstream): Promise<readonly Checked[]> => {
      const credential = credentialFor(credentialName(upstream));
      try {
        const probed = await probeUpstream(upstream, credential, signer, CHECK_TIMEOUT_MS);
        return probed.map(({ name, result }) => ({
          subject: `${upstream.name} ${name}`,
          result: RESULTS[result],
          isProblem: result === 'missing',
        }));
      } catch (error) {
        return [{ subject: upstream.name, result: describeProblem(error), isProblem: true }];
      }
    }),
  );
  return checked.flat();
};

/** One sentence for each model of the stack's upstreams that has ended, or ends soon. */
export const endingModels = (stack: OperatedStack, now: number): readonly string[] =>
  lifecycleWarnings(listUpstreams(stack), now);
