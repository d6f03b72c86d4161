import type { ChargeRecord, ImageChargeRecord } from '../../../functions/accounts/domain/billing.ts';
import type {
  AccountRepository,
  ChargeRepository,
  DueReservations,
} from '../../../functions/accounts/domain/ports.ts';
import type { ImageGenerator } from '../../../functions/images/domain/image-request.ts';
import type { SlowSteps } from '../../../functions/platform/domain/fair-share.ts';
import type {
  DueTasks,
  MediaStore,
  QueueDepth,
  StepQueue,
  TaskRepository,
  VideoGenerator,
} from '../../../functions/videos/domain/ports.ts';
import type { QueueAges } from '../../../functions/videos/domain/queue-age.ts';
import type { WebhookMessage } from '../../../functions/webhooks/domain/webhook-delivery.ts';
import type { WebhookEvent } from '../../../functions/webhooks/domain/webhooks.ts';
import { type MemoryAccounts, plainAccounts } from '../../support/in-memory/accounts.ts';
import type { MemoryCharges } from '../../support/in-memory/charges.ts';
import type { MemoryMedia } from '../../support/in-memory/media.ts';
import type { MemoryQueue } from '../../support/in-memory/queue.ts';
import type { MemoryQueueAges } from '../../support/in-memory/queue-ages.ts';
import type { MemoryReceiver } from '../../support/in-memory/receiver.ts';
import type { MemorySlowSteps } from '../../support/in-memory/slow-steps.ts';
import type { MemoryTasks } from '../../support/in-memory/tasks.ts';
import type { MemoryUpstream } from '../../support/in-memory/upstream.ts';
import type { MemoryDeliveries, MemoryEndpoints } from '../../support/in-memory/webhooks.ts';
import { joined } from '../../support/sample-video.ts';
import type { VirtualTime } from '../../support/virtual-time.ts';
import type { Gate } from './gate.ts';
import type { Invocation } from './invocation.ts';

type AnyCharge = ChargeRecord | ImageChargeRecord;

/** What is there, shared by all invocations. */
export type Stores = {
  readonly time: VirtualTime;
  readonly gate: Gate;
  readonly tasks: MemoryTasks;
  readonly charges: MemoryCharges<AnyCharge>;
  readonly accounts: MemoryAccounts;
  readonly media: MemoryMedia;
  readonly slowSteps: MemorySlowSteps;
  /** Those of the webhook worker. */
  readonly slowTries: MemorySlowSteps;
  readonly queue: MemoryQueue;
  readonly ages: MemoryQueueAges;
  /** Every event that was sent to the webhook queue. */
  readonly told: WebhookEvent[];
  readonly webhookQueue: MemoryQueue<WebhookMessage>;
  readonly endpoints: MemoryEndpoints;
  readonly deliveries: MemoryDeliveries;
  /** The endpoints of the account, by their addresses. */
  readonly receivers: ReadonlyMap<string, MemoryReceiver>;
  readonly upstream: MemoryUpstream;
};

/** The ports as one invocation has them: every call passes the gate in its name. */

export const tasksOf = ({ gate, tasks }: Stores, invocation: Invocation): TaskRepository & DueTasks => ({
  create: (task) => gate.pass(invocation, 'tasks.create', () => tasks.create(task), false),
  find: (id) => gate.pass(invocation, 'tasks.find', () => tasks.find(id)),
  advance: (next) =>
    gate.pass(
      invocation,
      'tasks.advance',
      () => {
        const won = tasks.advance(next);
        if (won && next.operation !== undefined) invocation.holdsAnswer = false;
        return won;
      },
      false,
    ),
  remove: (task) => gate.pass(invocation, 'tasks.remove', () => tasks.remove(task), false),
  position: () => Promise.reject(new Error('no path of the worker lists tasks')),
  due: async function* (before) {
    yield* await gate.pass(invocation, 'tasks.due', () => tasks.due(before));
  },
  postpone: (task, dueAt) => gate.pass(invocation, 'tasks.postpone', () => tasks.postpone(task, dueAt)),
});

export const chargesOf = (
  { gate, charges }: Stores,
  invocation: Invocation,
): ChargeRepository<AnyCharge> => ({
  record: (...given) => gate.pass(invocation, 'charges.record', () => charges.record(...given)),
});

export const accountsOf = (
  { gate, accounts }: Stores,
  invocation: Invocation,
): AccountRepository & DueReservations => ({
  find: async (account, now) => {
    const found = await plainAccounts(accounts).find(account, now);
    return gate.pass(invocation, 'accounts.find', () => found);
  },
  reserve: (...given) => gate.pass(invocation, 'accounts.reserve', () => accounts.reserve(...given)),
  renew: (...given) => gate.pass(invocation, 'accounts.renew', () => accounts.renew(...given), false),
  release: (...given) => gate.pass(invocation, 'accounts.release', () => accounts.release(...given), false),
  due: async function* (before) {
    yield* await gate.pass(invocation, 'accounts.due', () => accounts.due(before));
  },
  postpone: (...given) =>
    gate.pass(invocation, 'accounts.postpone', () => accounts.postpone(...given), false),
});

export const slowStepsOf = ({ gate }: Stores, steps: MemorySlowSteps, invocation: Invocation): SlowSteps => ({
  begin: (step, now) => gate.pass(invocation, 'slowSteps.begin', () => steps.begin(step, now)),
  end: (step) => gate.pass(invocation, 'slowSteps.end', () => steps.end(step)),
});

export const queueOf = ({ gate, queue }: Stores, invocation: Invocation): StepQueue => ({
  send: (message, delay) => gate.pass(invocation, 'queue.send', () => queue.send(message, delay)),
  sendAll: (messages) =>
    gate.pass(invocation, 'queue.sendAll', () => {
      for (const message of messages) queue.send(message, 0);
      return [];
    }),
});

export const depthOf = ({ gate, queue }: Stores, invocation: Invocation): QueueDepth => ({
  waiting: () => gate.pass(invocation, 'queue.waiting', () => queue.waiting),
});

export const agesOf = ({ gate, ages }: Stores, invocation: Invocation): QueueAges => ({
  record: (minute, received) => ages.record(minute, received),
  read: async (minute) => {
    const found = await ages.read(minute);
    return gate.pass(invocation, 'ages.read', () => found);
  },
});

export const mediaOf = ({ gate, media, time }: Stores, invocation: Invocation): MediaStore => ({
  putInput: (key, { bytes }) =>
    gate.pass(invocation, 'media.putInput', () => media.put(key, bytes, time.now())),
  getInput: (key) => gate.pass(invocation, 'media.getInput', () => media.get(key)),
  putVideo: async (key, video) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of video) chunks.push(chunk);
    await gate.pass(invocation, 'media.putVideo', () => media.put(key, joined(...chunks), time.now()));
  },
  remove: (keys) => gate.pass(invocation, 'media.remove', () => media.remove(keys)),
  inputs: async function* () {
    yield* await gate.pass(invocation, 'media.inputs', () => media.inputs());
  },
});

export const generatorOf = ({ gate, upstream, time }: Stores, invocation: Invocation): VideoGenerator => ({
  submit: () =>
    gate.pass(invocation, 'generator.submit', () => {
      const operation = upstream.submit(invocation.taskId ?? '', time.now());
      invocation.holdsAnswer = true;
      return operation;
    }),
  check: (operation) => gate.pass(invocation, 'generator.check', () => upstream.check(operation, time.now())),
  open: async () => {
    const chunks = await gate.pass(invocation, 'generator.open', upstream.open);
    return (async function* () {
      for (const chunk of chunks) yield await gate.pass(invocation, 'generator.read', () => chunk);
    })();
  },
});

export const imagesOf = ({ gate, upstream }: Stores, invocation: Invocation): ImageGenerator => ({
  generate: () => gate.pass(invocation, 'generator.image', upstream.makeImage),
});
