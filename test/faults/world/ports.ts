import type { ChargeRecord, ImageChargeRecord } from '../../../functions/billing/domain/charges.ts';
import { UpstreamError } from '../../../functions/upstream/domain/faults.ts';
import type { ImageGenerator } from '../../../functions/upstream/domain/image-request.ts';
import type { Upstream, UpstreamReference } from '../../../functions/upstream/domain/upstreams.ts';
import type { VideoGenerators } from '../../../functions/upstream/domain/video-generator.ts';
import { retiredModel } from '../../../functions/videos/domain/offered.ts';
import type { Retirements } from '../../../functions/videos/domain/step-queue.ts';
import { NO_LOAD, type WorkerNews } from '../../../functions/videos/domain/worker-capacity.ts';
import type { WebhookMessage, WebhookQueue } from '../../../functions/webhooks/domain/webhook-stores.ts';
import type { WebhookEvent } from '../../../functions/webhooks/domain/webhooks.ts';
import type { Deliverer } from '../../../functions/webhooks/usecases/deliver-webhooks.ts';
import { accountsPort, type MemoryAccounts } from '../../support/in-memory/accounts.ts';
import type { Call } from '../../support/in-memory/call.ts';
import { chargesPort, type MemoryCharges } from '../../support/in-memory/charges.ts';
import { imageChargesPort, keepingPort, type MemoryKeptImages } from '../../support/in-memory/kept-images.ts';
import { type MemoryMedia, mediaPort, positionPort } from '../../support/in-memory/media.ts';
import { depthPort, type MemoryQueue, queuePort } from '../../support/in-memory/queue.ts';
import { agesPort, type MemoryQueueAges } from '../../support/in-memory/queue-ages.ts';
import type { MemoryReceiver } from '../../support/in-memory/receiver.ts';
import { type MemorySlowSteps, slowStepsPort } from '../../support/in-memory/slow-steps.ts';
import { deletionsPort, type MemoryTasks, tasksPort } from '../../support/in-memory/tasks.ts';
import type { MemoryUpstream } from '../../support/in-memory/upstream.ts';
import { linePort, type MemoryPool, ONLY, ONLY_NAME } from '../../support/in-memory/upstreams.ts';
import {
  deliveriesPort,
  endpointsPort,
  type MemoryDeliveries,
  type MemoryEndpoints,
} from '../../support/in-memory/webhooks.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';
import type { Gate } from './gate.ts';
import type { Invocation } from './invocation.ts';

type AnyCharge = ChargeRecord | ImageChargeRecord;

/** The stores, shared by all invocations. */
export type Stores = {
  readonly time: VirtualClock;
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
  /** The models that upstreams have retired, with the time until which they count. */
  readonly retired: Map<string, number>;
  /** Every event that was sent to the webhook queue. */
  readonly told: WebhookEvent[];
  /** How each final answer to a cancel request was. */
  readonly cancelAnswers: { readonly id: string; readonly isCancelled: boolean }[];
  readonly webhookQueue: MemoryQueue<WebhookMessage>;
  readonly endpoints: MemoryEndpoints;
  readonly deliveries: MemoryDeliveries;
  /** The endpoints of the account, by their addresses. */
  readonly receivers: ReadonlyMap<string, MemoryReceiver>;
  /** The one that makes images; the only one, unless the scenario has several. */
  readonly upstream: MemoryUpstream;
  readonly upstreams: ReadonlyMap<string, MemoryUpstream>;
  /** The upstreams with shared state that are in the settings now; empty if there is one without limits. */
  readonly settings: () => readonly Upstream[];
  /** Those that are in the settings at first. */
  readonly firstSettings: readonly Upstream[];
  readonly pool: MemoryPool;
  readonly keptImages: MemoryKeptImages;
};

/** The ports of one invocation: every call passes the gate in its name. */
export const portsFor = (stores: Stores, invocation: Invocation) => {
  const { gate, tasks, time, queue } = stores;
  const call: Call = (name, apply, refused) => gate.pass(invocation, name, apply, refused);
  const advance: MemoryTasks['advance'] = (next, returned) => {
    const hasWon = tasks.advance(next, returned);
    if (hasWon && next.operation !== undefined) invocation.holdsAnswer = false;
    return hasWon;
  };
  return {
    call,
    tasks: tasksPort(tasks, call, advance),
    deletions: deletionsPort(tasks, call),
    charges: chargesPort(stores.charges, call),
    accounts: accountsPort(stores.accounts, call),
    slowSteps: slowStepsPort(stores.slowSteps, call),
    /** Those of the webhook worker. */
    slowTries: slowStepsPort(stores.slowTries, call),
    queue: queuePort(queue, call),
    depth: depthPort(queue, call),
    ages: agesPort(stores.ages, call),
    news: newsPort(stores, call),
    retirements: retirementsPort(stores, call),
    media: mediaPort(stores.media, time.now, call),
    position: positionPort(stores.media, call),
    generator: generatorPort(stores, invocation, call),
    line: linePort(stores.pool, tasks, call),
    images: imagesPort(stores, call),
    keeping: keepingPort(stores.keptImages, call),
    imageCharges: imageChargesPort(stores.charges, stores.keptImages, call),
    webhooks: webhooksPort(stores, call),
    deliveries: deliveriesPort(stores.deliveries, call),
    endpoints: endpointsPort(stores.endpoints, call),
    sender: senderPort(stores, call),
  };
};

/** An upstream that has left the settings is known only from the definition in its tasks. */
const findUpstream = (
  { upstreams, settings }: Stores,
  { name, definition }: UpstreamReference,
): MemoryUpstream => {
  const isSet = name === ONLY_NAME || settings().some((upstream) => upstream.name === name);
  const upstream = upstreams.get(name);
  if (upstream === undefined || (!isSet && definition === undefined))
    throw new UpstreamError('failing', `no upstream ${name}`);
  return upstream;
};

const newsPort = ({ ages, retired, time }: Stores, call: Call): WorkerNews => ({
  read: async (minute) => {
    const received = await ages.read(minute);
    const current = [...retired].filter(([, until]) => until > time.now()).map(([name]) => name);
    return call('ages.read', () => ({ received, retired: new Set(current), load: NO_LOAD }));
  },
});

const retirementsPort = ({ retired, settings }: Stores, call: Call): Retirements => ({
  note: (name, model, until) =>
    call('retirements.note', () => {
      const upstream = [ONLY, ...settings()].find((one) => one.name === name);
      if (upstream !== undefined) retired.set(retiredModel(upstream, model), until);
    }),
});

const generatorPort = (stores: Stores, invocation: Invocation, call: Call): VideoGenerators => ({
  submit: (_request, _inputs, idempotencyKey, reference) =>
    call('generator.submit', () => {
      const upstream = findUpstream(stores, reference);
      const operation = upstream.submit(invocation.taskId ?? '', idempotencyKey, stores.time.now());
      invocation.holdsAnswer = true;
      return operation;
    }),
  check: (operation, reference) =>
    call('generator.check', () => findUpstream(stores, reference).check(operation, stores.time.now())),
  open: async (_operation, _source, reference) => {
    const chunks = await call('generator.open', () => findUpstream(stores, reference).open());
    return (async function* () {
      for (const chunk of chunks) yield await call('generator.read', () => chunk);
    })();
  },
});

const imagesPort = ({ upstream }: Stores, call: Call): ImageGenerator => ({
  generate: () => call('generator.image', upstream.makeImage),
});

/** In a scenario without endpoints, events are recorded but not delivered. */
const webhooksPort = ({ told, webhookQueue, receivers }: Stores, call: Call): WebhookQueue => {
  const hasReceivers = receivers.size > 0;
  return {
    send: (message, delay) =>
      call('webhooks.send', () => {
        if (message.kind === 'event') told.push(message.event);
        if (hasReceivers) webhookQueue.send(message, delay);
      }),
    sendAll: (messages) =>
      call('webhooks.sendAll', () => {
        for (const message of messages) webhookQueue.send(message, 0);
        return [];
      }),
  };
};

const senderPort = ({ receivers, time }: Stores, call: Call): Deliverer['sender'] => ({
  sendUnlessSlow: ({ url }, event) =>
    call('sender.send', () => {
      const receiver = receivers.get(url);
      if (receiver === undefined) throw new Error(`nobody listens at ${url}`);
      return receiver.receive(event, time.now());
    }),
});
