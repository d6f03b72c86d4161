import type { ChargeRecord, ImageChargeRecord } from '../../../functions/billing/domain/charges.ts';
import { fileKey } from '../../../functions/files/domain/file-keys.ts';
import { isZero, minus, plus } from '../../../functions/platform/domain/money.ts';
import type { Upstream } from '../../../functions/upstream/domain/upstreams.ts';
import { INPUT_PREFIX, isOwnInput, videoKey } from '../../../functions/videos/domain/media.ts';
import { isCancelled, isTerminal, type Task } from '../../../functions/videos/domain/task.ts';
import { toWebhookEvent } from '../../../functions/videos/domain/video-event.ts';
import { toBudgetEvent } from '../../../functions/webhooks/domain/webhook-delivery.ts';
import type { WebhookEvent } from '../../../functions/webhooks/domain/webhooks.ts';
import type { MemoryUpstream } from '../../support/in-memory/upstream.ts';
import { mostWithin } from '../../support/most-within.ts';
import type { Stores } from './ports.ts';

const MAX_SUBMITS = 2;

const sorted = (texts: Iterable<string>): string => [...texts].toSorted().join(', ');

/** The stores, and the last state of every task that ever was; an id comes again when its task was deleted. */
type Rest = Stores & { readonly lastStates: readonly Task[] };

const lastStates = ({ tasks }: Stores): readonly Task[] => [
  ...new Map(tasks.history.map((task) => [`${task.id} ${task.createdAt}`, task])).values(),
];

function* unfinished(stores: Rest): Generator<string> {
  for (const task of stores.lastStates) if (!isTerminal(task)) yield `a task stays ${task.status}`;
  for (const { work } of stores.tasks.all()) if (work) yield `work '${work.kind}' is left in the due index`;
}

function* wrongCharges(stores: Rest): Generator<string> {
  const completed = stores.lastStates.filter(({ status }) => status === 'completed');
  const { deliveredSeconds = Number.POSITIVE_INFINITY } = stores.upstream;
  const owed = completed.map(({ id, request }) => `${id} ${Math.min(request.seconds, deliveredSeconds)} s`);
  const records = stores.charges.all();
  const charged = records.flatMap((record) =>
    record.kind === 'video' ? [`${record.taskId} ${record.seconds} s`] : [],
  );
  if (sorted(owed) !== sorted(charged))
    yield `charged are [${sorted(charged)}], completed are [${sorted(owed)}]`;
  const images = records.length - charged.length;
  if (images > stores.upstream.images)
    yield `${images} images are charged, ${stores.upstream.images} were made`;
}

function* wrongObjects({ tasks, media, upstream }: Stores): Generator<string> {
  const whole = upstream.file;
  const wanted = tasks
    .all()
    .filter(({ status }) => status === 'completed')
    .map(videoKey);
  const videos = media.keys().filter((key) => !key.startsWith(INPUT_PREFIX));
  if (sorted(videos) !== sorted(wanted))
    yield `stored are [${sorted(videos)}], completed are [${sorted(wanted)}]`;
  for (const key of videos)
    if (Buffer.compare(media.get(key), whole) !== 0) yield 'a stored video is not whole';
  const inputs = media.keys().filter((key) => key.startsWith(INPUT_PREFIX));
  const used = tasks.all().flatMap(({ request }) => request.inputs.filter(isOwnInput).map(({ key }) => key));
  if (sorted(inputs) !== sorted(used)) yield `inputs are [${sorted(inputs)}], used are [${sorted(used)}]`;
}

function* wrongSubmits(stores: Rest): Generator<string> {
  const tasks = Map.groupBy(stores.lastStates, ({ id }) => id);
  for (const [id, { length }] of tasks) {
    const count = (ids: (upstream: MemoryUpstream) => readonly string[]): number =>
      [...stores.upstreams.values()].flatMap(ids).filter((taskId) => taskId === id).length;
    const submits = count(({ accepted }) => accepted);
    const lost = stores.gate.lostAnswers.get(id) ?? 0;
    if (submits > Math.min(MAX_SUBMITS * length, length + lost))
      yield `${submits} submits of ${length} tasks, ${lost} answers lost`;
    // An upstream that did not answer may have accepted the task, so at most one more may get it.
    const unrefused = count((upstream) => upstream.unrefused);
    if (unrefused > MAX_SUBMITS * length) yield `${unrefused} submits of ${length} tasks may be accepted`;
  }
}

const sums = new Map<string, string>();

/** The same few sums are asked for after everything that happens, and exact money takes its time. */
const sum = (amounts: readonly (string | null)[]): string => {
  const terms = amounts.join();
  const total = sums.get(terms) ?? amounts.reduce<string>((so, amount) => plus(so, amount ?? '0'), '0');
  sums.set(terms, total);
  return total;
};

const isSame = (one: string, other: string): boolean => one === other || isZero(minus(one, other));

const chargedQuantity = (record: ChargeRecord | ImageChargeRecord): number =>
  record.kind === 'video' ? record.seconds : record.images;

/** Reservations always count for the account, and for a key that has a budget; charges count for both. */
export type Counted = readonly ('account' | 'account#key')[];

/** At every moment: what is committed is what is charged and what is reserved, and the days add up to the charges. */
export function* wrongMoney({ accounts, charges }: Stores, counted: Counted): Generator<string> {
  const charged = sum(charges.all().map(({ amount }) => amount));
  const byDay = sum(charges.days().map(({ amount }) => amount));
  if (!isSame(charged, byDay)) yield `charged is ${charged}, the days say ${byDay}`;
  const quantity = charges.days().reduce((total, day) => total + day.quantity, 0);
  if (quantity !== charges.all().reduce((total, record) => total + chargedQuantity(record), 0))
    yield `the days say ${quantity} seconds and images`;
  const reserved = sum(accounts.reservations().map(({ amount }) => amount));
  for (const owner of ['account', 'account#key'] as const) {
    const committed = accounts.committed(owner);
    if (!isSame(committed, counted.includes(owner) ? sum([charged, reserved]) : charged))
      yield `committed of ${owner} is ${committed}, charged ${charged}, reserved ${reserved}`;
  }
  const videos = accounts.reservations().filter(({ kind }) => kind === 'videos').length;
  if (accounts.videos('account') !== videos)
    yield `${accounts.videos('account')} videos are counted, ${videos} are reserved`;
  for (const [id, count] of accounts.releases) if (count > 1) yield `${id} was released ${count} times`;
}

/** A cancelled task was never submitted, and the answer to a cancel request says how the task ends. */
function* wrongCancels(stores: Rest): Generator<string> {
  for (const task of stores.lastStates)
    if (isCancelled(task) && stores.upstream.accepted.includes(task.id))
      yield 'a cancelled task was submitted';
  for (const { id, isCancelled: isPromised } of stores.cancelAnswers)
    for (const task of stores.lastStates)
      if (task.id === id && isCancelled(task) !== isPromised)
        yield `a cancel was ${isPromised ? 'accepted' : 'refused'}, but its task ended as ${task.error?.code ?? task.status}`;
}

function* leftReservations({ accounts }: Stores): Generator<string> {
  const { length } = accounts.reservations();
  if (length > 0) yield `${length} reservations are left`;
  const notices = accounts.notices().length;
  if (notices > 0) yield `${notices} notices of budgets are left`;
}

/** The events of tasks that ended, and of thresholds of budgets that were reached. */
const expectedEvents = (stores: Rest): WebhookEvent[] => [
  ...stores.lastStates.map(toWebhookEvent),
  ...stores.accounts.reached.map(toBudgetEvent),
];

/** Each task that ended, and each threshold, is told at least once, and always under one identifier. */
function* wrongEvents(stores: Rest): Generator<string> {
  const told = new Set(stores.told.map((event) => JSON.stringify(event)));
  const ended = expectedEvents(stores).map((event) => JSON.stringify(event));
  if (sorted(told) !== sorted(ended)) yield `told are [${sorted(told)}], ended are [${sorted(ended)}]`;
}

/** Each endpoint has one delivery of each event, which has arrived. */
function* wrongDeliveries(stores: Rest): Generator<string> {
  const ids = expectedEvents(stores).map(({ id }) => id);
  for (const [url, { accepted }] of stores.receivers) {
    const own = stores.deliveries.all().filter(({ endpointId }) => endpointId === `we_${url}`);
    const delivered = own.filter(({ status }) => status === 'delivered').map(({ event }) => event.id);
    if (own.length !== ids.length || sorted(delivered) !== sorted(ids))
      yield `${own.length} deliveries of ${ids.length} events, delivered are [${sorted(delivered)}]`;
    if (sorted(accepted) !== sorted(ids)) yield `an endpoint took [${sorted(accepted)}]`;
  }
}

/**
 * A stored image has one charge, and a charge has its image. An image that a client has got is stored. An image may be stored and charged although its request was killed before the answer: it is in the list of
 * files, and a repeated request returns it. No request has more images than it asked for.
 */
function* wrongImages({ charges, keptImages }: Stores, mostImages: number | undefined): Generator<string> {
  const { files, objects, answered } = keptImages;
  for (const id of answered)
    if (id === undefined || !files.has(id)) yield `${id ?? 'an image'} was answered, but is not stored`;
  const charged = charges.all().filter(({ kind }) => kind === 'image').length;
  if (charged !== files.size) yield `${charged} images are charged, ${files.size} are stored`;
  for (const { account, id } of files.values())
    if (!objects.has(fileKey(account, id))) yield `${id} is a file without bytes`;
  if (mostImages !== undefined && charged > mostImages)
    yield `${charged} images are charged, ${mostImages} were requested`;
}

/** Each deleted task has one audit entry, and no other task has one. */
function* wrongEntries({ tasks }: Stores): Generator<string> {
  const deleted = new Set(
    tasks.history
      .filter(({ work }) => work?.kind === 'delete')
      .map(({ id, createdAt }) => `${id} ${createdAt}`),
  );
  const ids = Array.from(deleted, (task) => task.split(' ')[0] ?? '');
  const recorded = tasks.entries.map(({ resourceId }) => resourceId);
  if (sorted(recorded) !== sorted(ids))
    yield `recorded are [${sorted(recorded)}], deleted are [${sorted(ids)}]`;
}

/** The end of a task returns its places, also that of a submit without an answer. */
function* keptPlaces({ pool }: Stores, name: string): Generator<string> {
  for (const taskId of pool.entry(name).places.keys())
    yield `the place of ${taskId} at ${name} is not returned`;
}

function* exceededLimits(
  stores: Stores,
  { name, submitsPerMinute, videosAtOnce }: Upstream,
): Generator<string> {
  const upstream = stores.upstreams.get(name);
  if (upstream === undefined) return;
  const submits = mostWithin(upstream.arrivals, 60_000);
  if (submits > (submitsPerMinute ?? Number.POSITIVE_INFINITY))
    yield `${submits} submits to ${name} within a minute`;
  // A repeated submit uses the place of the one that was lost.
  const lost = [...stores.gate.lostAnswers.values()].reduce((sum, count) => sum + count, 0);
  if (upstream.mostAtOnce > (videosAtOnce ?? Number.POSITIVE_INFINITY) + lost)
    yield `${upstream.mostAtOnce} videos at once at ${name}, ${lost} answers lost`;
}

/** The limits of upstreams hold, and their places are free when nobody needs them. */
function* wrongPlaces(stores: Stores): Generator<string> {
  for (const name of stores.upstreams.keys()) yield* keptPlaces(stores, name);
  for (const upstream of stores.firstSettings) yield* exceededLimits(stores, upstream);
}

/** Invariants that hold when everything has come to rest, whatever went wrong before. */
export const brokenInvariants = (
  stores: Stores,
  { mostImages }: { readonly mostImages?: number },
): string[] => {
  const rest = { ...stores, lastStates: lastStates(stores) };
  return [
    ...unfinished(rest),
    ...wrongCharges(rest),
    ...wrongObjects(stores),
    ...wrongSubmits(rest),
    ...wrongCancels(rest),
    ...leftReservations(stores),
    ...wrongEvents(rest),
    ...wrongEntries(stores),
    ...wrongDeliveries(rest),
    ...wrongImages(stores, mostImages),
    ...wrongPlaces(stores),
  ];
};
