import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { ListedCharge } from '../../functions/billing/domain/charges.ts';
import { type Attributes, encode } from '../../functions/platform/aws/attributes.ts';
import { isTaskId } from '../../functions/platform/domain/ids.ts';
import { plus } from '../../functions/platform/domain/money.ts';
import { fromItem as readTask } from '../../functions/videos/adapters/task-item.ts';
import { toPrintable } from '../command.ts';
import { dynamoClient } from './dynamo-client.ts';
import {
  lacksFeature,
  type OperatedStack,
  OperatorError,
  stackBaseUrl,
  stackOutput,
} from './operated-stack.ts';
import { readCountedCharge, recount, wantedAccounts, wantedReservations, wantedUsage } from './recount.ts';
import { COUNTED, RULES, type Rule, type Situation, withdrawnName } from './restore-rules.ts';
import {
  applyWanted,
  type Change,
  type CopiedTable,
  dropCopies,
  listChanges,
  makeCopies,
  readRestorable,
  scanPages,
  type Wanted,
} from './table-copies.ts';

export type RestoreOptions = {
  readonly moment: number;
  /** Restores the copies and reports, but changes no table. */
  readonly isRehearsal: boolean;
  readonly report: (line: string) => void;
  readonly now?: () => number;
};

const SERVICE_CHECK_MILLISECONDS = 10_000;

/** A request that is answered would write to tables that are being restored. */
const requireStopped = async (stack: OperatedStack): Promise<void> => {
  const url = `${stackBaseUrl(stack)}/openapi.json`;
  const signal = AbortSignal.timeout(SERVICE_CHECK_MILLISECONDS);
  const isRunning = await fetch(url, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isRunning)
    throw new OperatorError(
      'The service is running: stop it first, as described in RUNBOOK.md under Restore, or use --rehearse.',
    );
};

const requireRestorable = async (
  client: DynamoDBClient,
  tables: readonly string[],
  moment: number,
): Promise<void> => {
  const { earliest, latest } = await readRestorable(client, tables);
  if (latest < earliest)
    throw new OperatorError(
      `The tables cannot be restored yet: their recovery began at ${new Date(earliest).toISOString()}, and DynamoDB needs about five minutes.`,
    );
  if (moment < earliest || moment > latest)
    throw new OperatorError(
      `--to must be from ${new Date(earliest).toISOString()} to ${new Date(latest).toISOString()}.`,
    );
};

/** Deletions and revocations after the moment, or at a time that cannot be read: a revoked key must not return. */
const readWithdrawn = async (client: DynamoDBClient, table: string, moment: number): Promise<Set<string>> => {
  const withdrawn = new Set<string>();
  for await (const page of scanPages(client, table))
    for (const { account, resourceId, type, at } of page)
      if (type?.S?.endsWith('.deleted') === true && !(Number(at?.N) <= moment))
        withdrawn.add(withdrawnName(account?.S ?? '', resourceId?.S ?? ''));
  return withdrawn;
};

/** Counts what happens to the items of a table. */
type Tally = { changed: number; returned: number; removed: number; kept: number };

const describe = (name: string, { changed, returned, removed, kept }: Tally): string =>
  `${name}: ${changed} changed back, ${returned} brought back, ${removed} removed, ${kept} kept as they are now`;

const count = (tally: Tally, { live }: Change, item: Attributes | undefined): void => {
  if (item === live) tally.kept += 1;
  else if (item === undefined) tally.removed += 1;
  else if (live === undefined) tally.returned += 1;
  else tally.changed += 1;
};

async function* decide(
  changes: AsyncIterable<Change>,
  rule: Rule,
  situation: Situation,
  onDecision: (change: Change, item: Attributes | undefined) => void,
): AsyncGenerator<Wanted> {
  for await (const change of changes) {
    const { key, live } = change;
    const item = await rule(change, situation);
    onDecision(change, item);
    yield { key, live, item };
  }
}

/** What the restore cannot bring back, and what it keeps beyond the moment. */
class Losses {
  readonly #report: (line: string) => void;
  #chargesAfter = 0;
  #amounts = new Map<string, string>();
  earliestCharge: number;

  constructor(report: (line: string) => void, moment: number) {
    this.#report = report;
    this.earliestCharge = moment;
  }

  readonly task = ({ live, earlier }: Change, item: Attributes | undefined): void => {
    if (live?.task === undefined || earlier !== undefined || item !== undefined) return;
    try {
      const { id, account, status, upstream } = readTask(live);
      const note = upstream === undefined ? '' : `, submitted to ${upstream.name}`;
      this.#report(`lost: video ${id} of ${account}, ${status}${note}`);
    } catch {
      this.#report(`lost: an unreadable video ${live.id?.S ?? ''}`);
    }
  };

  readonly charge = ({ live, earlier }: Change, item: Attributes | undefined): void => {
    if (live === undefined || earlier !== undefined) return;
    const charge = this.#read(live);
    this.earliestCharge = Math.min(this.earliestCharge, charge?.time ?? this.earliestCharge);
    if (item === undefined) {
      this.#report(`charge ${live.id?.S ?? ''} is removed; its video is charged when it completes`);
      return;
    }
    if (charge === undefined) return;
    this.#chargesAfter += 1;
    const { currency, amount } = charge;
    if (currency !== null && amount !== null)
      this.#amounts.set(currency, plus(this.#amounts.get(currency) ?? '0', amount));
  };

  #read(item: Attributes): ListedCharge | undefined {
    try {
      return readCountedCharge(item).charge;
    } catch {
      this.#report(`not counted: an unreadable charge ${item.id?.S ?? ''}`);
      return undefined;
    }
  }

  readonly summary = (): void => {
    const sums = Array.from(this.#amounts, ([currency, amount]) => `${amount} ${currency}`);
    const total = sums.length === 0 ? '' : `, ${sums.join(' and ')}`;
    this.#report(`charges recorded after the moment and kept: ${this.#chargesAfter}${total}`);
  };
}

type Restoration = {
  readonly client: DynamoDBClient;
  readonly moment: number;
  readonly isRehearsal: boolean;
  readonly now: () => number;
  /** For the tables that the stack has. */
  readonly rules: typeof RULES;
  /** The tables by the output with their name. */
  readonly tables: ReadonlyMap<string, CopiedTable>;
  readonly name: (output: string) => string;
};

const tableFor = ({ tables }: Restoration, output: string): CopiedTable => {
  const found = tables.get(output);
  if (found === undefined) throw new Error(`${output} was not copied`);
  return found;
};

const readSituation = async ({ client, name, moment, now }: Restoration): Promise<Situation> => ({
  withdrawn: await readWithdrawn(client, name('AuditTableName'), moment),
  returned: new Set(),
  now: now(),
  findTask: async (id) => {
    if (!isTaskId(id)) return undefined;
    const Key = encode({ id });
    const get = new GetItemCommand({ TableName: name('TaskTableName'), Key, ConsistentRead: true });
    return (await client.send(get)).Item;
  },
});

/** Returns the number of written items. */
const applyRules = async (
  restoration: Restoration,
  losses: Losses,
  report: (line: string) => void,
): Promise<number> => {
  const { client } = restoration;
  const situation = await readSituation(restoration);
  const onDecision: Readonly<Record<string, Losses['task']>> = {
    TaskTableName: losses.task,
    ChargeTableName: losses.charge,
  };
  let written = 0;
  for (const [output, rule] of restoration.rules) {
    const table = tableFor(restoration, output);
    const tally = { changed: 0, returned: 0, removed: 0, kept: 0 };
    const wanted = decide(listChanges(client, table), rule, situation, (change, item) => {
      count(tally, change, item);
      onDecision[output]?.(change, item);
    });
    written += await applyWanted(client, table.live, wanted, restoration);
    report(describe(output.replace('TableName', ''), tally));
  }
  losses.summary();
  return written;
};

/** Returns the number of written items. */
const applyCounts = async (
  restoration: Restoration,
  { earliestCharge }: Losses,
  report: (line: string) => void,
): Promise<number> => {
  const { client, name, now } = restoration;
  const counts = await recount(client, {
    tasks: name('TaskTableName'),
    files: name('FileTableName'),
    charges: name('ChargeTableName'),
    since: earliestCharge,
    now: now(),
    onUnreadable: (table, { id }, error) => report(`unreadable in ${table}: ${id?.S ?? ''} (${error})`),
  });
  const [accounts, usage] = COUNTED.map((output) => tableFor(restoration, output));
  const reservations = name('ReservationTableName');
  if (accounts === undefined || usage === undefined) throw new Error('no counted tables');
  let written = 0;
  for (const [table, wanted] of [
    [reservations, wantedReservations(client, reservations, counts)],
    [accounts.live, wantedAccounts(client, accounts.live, listChanges(client, accounts), counts)],
    [usage.live, wantedUsage(client, usage.live, listChanges(client, usage), counts)],
  ] as const)
    written += await applyWanted(client, table, wanted, restoration);
  report(`reservations, counters and sums: ${written} items corrected`);
  return written;
};

const applyAll = async (restoration: Restoration, report: (line: string) => void): Promise<number> => {
  const losses = new Losses(report, restoration.moment);
  const written = await applyRules(restoration, losses, report);
  // A rehearsal has not changed the tasks and charges that would be counted.
  return restoration.isRehearsal ? written : written + (await applyCounts(restoration, losses, report));
};

/** Restores all tables to one moment, by copying items back into the tables that CloudFormation owns. */
export const restoreStack = async (stack: OperatedStack, options: RestoreOptions): Promise<void> => {
  const { moment, isRehearsal, now = Date.now } = options;
  const report = (line: string) => options.report(toPrintable(line));
  const client = dynamoClient(stack.clientConfig);
  const name = (output: string): string => stackOutput(stack, output);
  const rules = RULES.filter(([output]) => !lacksFeature(stack, output));
  const outputs = [...rules.map(([output]) => output), ...COUNTED];
  await requireRestorable(client, outputs.map(name), moment);
  if (!isRehearsal) await requireStopped(stack);
  report(`Restoring copies of ${outputs.length} tables to ${new Date(moment).toISOString()}`);
  const copies = await makeCopies(client, outputs.map(name), moment);
  const tables = new Map(copies.map((copy, index) => [outputs[index] ?? '', copy]));
  const restoration = { client, moment, isRehearsal, now, rules, tables, name };
  await applyAll(restoration, report);
  // A second run finds nothing to do, unless something still writes.
  if (!isRehearsal && (await applyAll(restoration, () => {})) > 0)
    throw new OperatorError(
      'Something has written to the tables during the restore: stop the service, and run the same command again.',
    );
  await dropCopies(client, copies);
  report(
    isRehearsal
      ? 'Rehearsal: nothing was changed.'
      : 'Done. Start the service; the sweeper resumes all tasks.',
  );
};
