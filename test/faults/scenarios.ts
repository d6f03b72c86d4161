import type { Limits } from '../../functions/billing/domain/limits.ts';
import type { retryWhileThrottled } from '../../functions/platform/aws/aws-clients.ts';
import { UpstreamError } from '../../functions/upstream/domain/faults.ts';
import type { Upstream } from '../../functions/upstream/domain/upstreams.ts';
import { REFUSAL_DEADLINE } from '../../functions/videos/domain/schedule.ts';
import type { VideoRequest } from '../../functions/videos/domain/video-request.ts';
import { FRAMES_REQUEST, TEXT_REQUEST } from '../support/builders/requests.ts';
import type { CallName } from '../support/in-memory/call.ts';
import type { UpstreamPlan } from '../support/in-memory/upstream.ts';
import { longOr } from '../support/long-tests.ts';
import type { Client } from './world/client.ts';
import type { Outage } from './world/gate.ts';

export type Scenario = {
  readonly name: string;
  /** One that generates for eight seconds and never fails, if not said. */
  readonly upstream?: UpstreamPlan;
  /** Several upstreams, or one with limits; the settings can change at any time. */
  readonly pool?: {
    readonly settings: (now: number) => readonly Upstream[];
    readonly plans: Readonly<Record<string, UpstreamPlan>>;
  };
  readonly outage?: Outage;
  /** Repeats throttled calls to AWS as the functions' clients do; by default, they are not repeated. */
  readonly repeat?: typeof retryWhileThrottled;
  /** The limits of every account, default none. */
  readonly limits?: Partial<Limits>;
  /** The monthly budget of the client's key, default none. */
  readonly keyBudget?: string;
  /** The endpoints that are told of events, each with the statuses that it answers before it takes one. */
  readonly receivers?: readonly (readonly number[])[];
  /** How many sweepers start each minute: schedules, too, can fire twice. */
  readonly sweepers?: number;
  readonly client: (client: Client) => Promise<void>;
  /** How many images the client asks for; not checked if not said. */
  readonly mostImages?: number;
  /** How many single faults are tried, where the calls repeat themselves for hours; all of them if not said. */
  readonly sample?: number;
  /** Which calls fail; all of them if not said. */
  readonly faultsAt?: (name: CallName) => boolean;
  /** How late one fault may make a task; a claim, a sweep and what they wait for, if not said. */
  readonly longestDelay?: number;
  /** How many tasks there are; one if not said. */
  readonly outcomes?: number;
  /** How each task ends when nothing else goes wrong, `completed` if not said; a code means failed. */
  readonly outcome?: string;
  /** How it may end instead, if the order of the calls or a second lost answer decides. */
  readonly otherOutcomes?: readonly string[];
};

/** As the size of a sample. */
export const ALL = Number.POSITIVE_INFINITY;
export const PLAIN = { generating: 8000 };
export const BUSY = new UpstreamError('busy', 'too many requests', { httpStatus: 429, retryAfterSeconds: 3 });
const FAILING = new UpstreamError('failing', 'internal', { httpStatus: 500 });
export const UNANSWERED = new UpstreamError('unanswered', 'no answer');
const FORBIDDEN = new UpstreamError('operator', 'no such file', { httpStatus: 403 });
export const WRONG_KEY = new UpstreamError('operator', 'no such key', { httpStatus: 401 });
const REJECTED = new UpstreamError('rejected', 'not this', { httpStatus: 400 });

const create =
  (request: VideoRequest) =>
  async (client: Client): Promise<void> =>
    void (await client.create(request));

export const createMany =
  (count: number) =>
  async (client: Client): Promise<void> => {
    await Promise.all(Array.from({ length: count }, () => client.create(TEXT_REQUEST)));
  };

const createAndDelete =
  (pause: number) =>
  async (client: Client): Promise<void> => {
    const created = await client.create(FRAMES_REQUEST, 'a key');
    if (created.state !== 'ended') return;
    await client.removeAfterEnd(created.result.id, pause);
  };

const createAnd =
  (act: (client: Client, id: string) => Promise<unknown>) =>
  async (client: Client): Promise<void> => {
    const created = await client.create(FRAMES_REQUEST, 'a key');
    if (created.state === 'ended') await act(client, created.result.id);
  };

export const during =
  (end: number, names: readonly CallName[], trouble: ReturnType<Outage>): Outage =>
  (name, _invocation, now) =>
    names.includes(name) && now < end ? trouble : undefined;

export const minutes = (count: number): number => count * 60_000;

const PLAIN_SCENARIOS: readonly Scenario[] = [
  { name: 'text video', client: create(TEXT_REQUEST) },
  { name: 'video with inputs', client: create(FRAMES_REQUEST) },
  {
    name: 'a video that is shorter than requested',
    sample: longOr(60, ALL),
    upstream: { ...PLAIN, deliveredSeconds: 4 },
    client: create(TEXT_REQUEST),
  },
  {
    name: 'rejected request',
    upstream: { ...PLAIN, rejects: REJECTED },
    client: create(FRAMES_REQUEST),
    outcome: 'upstream_rejected',
  },
  {
    name: 'filtered video',
    upstream: { ...PLAIN, ends: { code: 'content_blocked', message: 'filtered' } },
    client: create(FRAMES_REQUEST),
    outcome: 'content_blocked',
  },
  {
    name: 'create sent twice at once with one key',
    client: async (client) => {
      await Promise.all([client.create(FRAMES_REQUEST, 'a key'), client.create(FRAMES_REQUEST, 'a key')]);
    },
  },
  {
    name: 'a generation over several leases',
    sample: longOr(80, ALL),
    upstream: { generating: 150_000 },
    client: create(TEXT_REQUEST),
  },
  {
    name: 'a file host that is down for an hour',
    sample: 100,
    // By then the tries are five minutes apart, and a fault may cost one of them.
    longestDelay: minutes(6) + minutes(7),
    outage: during(minutes(60), ['generator.open'], 'throttled'),
    client: create(TEXT_REQUEST),
  },
  {
    name: 'a file that is never there',
    sample: 100,
    // A passing fault between the refusals lets them begin anew.
    longestDelay: minutes(6) + REFUSAL_DEADLINE + minutes(5),
    upstream: { ...PLAIN, openErrors: Array.from({ length: 100 }, () => FORBIDDEN) },
    client: create(TEXT_REQUEST),
    outcome: 'upstream_unavailable',
  },
  {
    name: 'a key that the upstream refuses for five minutes of checks',
    sample: 100,
    // By then the tries are four minutes apart, and a fault may cost one of them.
    longestDelay: minutes(6) + minutes(7),
    outage: during(minutes(5), ['generator.check'], WRONG_KEY),
    client: create(FRAMES_REQUEST),
  },
  {
    name: 'a key that the upstream refuses for an hour of checks',
    sample: 100,
    longestDelay: minutes(6) + REFUSAL_DEADLINE + minutes(5),
    outage: during(minutes(60), ['generator.check'], WRONG_KEY),
    client: create(TEXT_REQUEST),
    outcome: 'upstream_unavailable',
  },
  { name: 'delete of a completed task', client: createAndDelete(20_000) },
  { name: 'delete in the moment of completion', client: createAndDelete(0) },
  {
    name: 'create with the key of a deleted task',
    client: async (client) => {
      await createAndDelete(minutes(3))(client);
      await createAndDelete(minutes(3))(client);
    },
  },
  {
    name: 'create with the key of a task in the moment of its deletion',
    client: async (client) => {
      const created = await client.create(FRAMES_REQUEST, 'a key');
      if (created.state !== 'ended') return;
      const { id } = created.result;
      await Promise.all([
        client.removeAfterEnd(id, 20_000),
        client.createAfterEnd(id, 20_000, FRAMES_REQUEST, 'a key'),
      ]);
    },
  },
  {
    name: 'repair by two sweepers, where all other messages are lost',
    sweepers: 2,
    outage: (name) => (name === 'queue.send' ? 'throttled' : undefined),
    client: create(FRAMES_REQUEST),
  },
  {
    name: 'upstream that fails at every call before it works',
    upstream: {
      ...PLAIN,
      submitErrors: [BUSY, FAILING],
      checkErrors: [UNANSWERED, BUSY],
      openErrors: [FORBIDDEN],
      cutOffFiles: 1,
    },
    client: create(FRAMES_REQUEST),
  },
  {
    name: 'store that refuses the video for an hour',
    sample: 50,
    outage: during(minutes(60), ['media.putVideo', 'media.remove'], 'throttled'),
    client: create(FRAMES_REQUEST),
  },
  {
    name: 'store that takes the video for an hour without saying so',
    sample: 50,
    outage: during(minutes(60), ['media.putVideo'], 'timeout though applied'),
    client: create(FRAMES_REQUEST),
  },
  {
    name: 'upstream that takes every request and answers none',
    outage: during(Number.POSITIVE_INFINITY, ['generator.submit'], 'timeout though applied'),
    client: create(FRAMES_REQUEST),
    outcome: 'upstream_unavailable',
  },
  {
    name: 'store that does not give the inputs',
    sample: 50,
    outage: during(Number.POSITIVE_INFINITY, ['media.getInput'], 'throttled'),
    client: create(FRAMES_REQUEST),
    outcome: 'internal',
  },
];

/** The calls that follow a create until the task is submitted, and a few more. */
const CALLS_TO_SUBMIT = 10;

/** The first message is lost, so the task waits for the sweeper. */
const LOST_MESSAGE: Outage = (name, { role }) =>
  name === 'queue.send' && role === 'client' ? 'throttled' : undefined;

const CANCEL_SCENARIOS: readonly Scenario[] = [
  {
    name: 'cancel of a waiting task',
    outage: LOST_MESSAGE,
    client: createAnd((client, id) => client.cancel(id)),
    outcome: 'cancelled',
  },
  {
    name: 'delete of a waiting task',
    outage: LOST_MESSAGE,
    client: createAnd((client, id) => client.remove(id)),
    outcome: 'cancelled',
  },
  {
    name: 'two cancels and a delete of a waiting task at once',
    outage: LOST_MESSAGE,
    client: createAnd((client, id) => Promise.all([client.cancel(id), client.cancel(id), client.remove(id)])),
    outcome: 'cancelled',
  },
  {
    name: 'cancel in the moment of the repair',
    sample: 60,
    outage: LOST_MESSAGE,
    client: createAnd(async (client, id) => {
      await client.sleep(64_950);
      await client.cancel(id);
    }),
    outcome: 'cancelled',
    otherOutcomes: ['completed'],
  },
  {
    name: 'cancel after a lost answer of the upstream',
    sample: 60,
    outage: during(minutes(0.5), ['generator.submit'], 'timeout though applied'),
    client: createAnd(async (client, id) => {
      // The answer is awaited for 40 seconds, and the submit is repeated two seconds later.
      await client.sleep(41_000);
      await client.cancel(id);
    }),
    otherOutcomes: ['cancelled', 'upstream_unavailable'],
  },
  {
    name: 'cancel while the upstream refuses the task',
    sample: 60,
    outage: during(minutes(1), ['generator.submit'], BUSY),
    client: createAnd(async (client, id) => {
      await client.sleep(10_000);
      await client.cancel(id);
    }),
    outcome: 'cancelled',
    otherOutcomes: ['completed'],
  },
  ...Array.from({ length: CALLS_TO_SUBMIT }, (_, call) => ({
    name: `${call % 4 === 0 ? 'delete' : 'cancel'} at call ${call} after the create`,
    sample: 25,
    client: createAnd(async (client, id) => {
      if (call > 0) await client.nextCall(call);
      await (call % 4 === 0 ? client.remove(id) : client.cancel(id));
    }),
    outcome: 'cancelled',
    otherOutcomes: ['completed'],
  })),
];

/** Room for every task that a scenario makes. */
const AMPLE = { monthlyBudget: '1000', videosAtOnce: 50, createsPerMinute: 1000 };

/**
 * The same paths, with the account and its key held to limits: each reserves, and charges or takes back. They include
 * all calls of the paths without limits, so those try fewer faults.
 */
const WITH_LIMITS = [
  'text video',
  'a video that is shorter than requested',
  'rejected request',
  'filtered video',
  'create sent twice at once with one key',
  'delete of a completed task',
  'delete in the moment of completion',
  'create with the key of a deleted task',
  'create with the key of a task in the moment of its deletion',
  'repair by two sweepers, where all other messages are lost',
  'store that does not give the inputs',
  'cancel of a waiting task',
  'two cancels and a delete of a waiting task at once',
  'cancel at call 3 after the create',
];

export const SCENARIOS: readonly Scenario[] = [
  ...[...PLAIN_SCENARIOS, ...CANCEL_SCENARIOS].flatMap((scenario) =>
    WITH_LIMITS.includes(scenario.name)
      ? [
          { ...scenario, sample: scenario.sample ?? longOr(60, ALL) },
          { ...scenario, name: `${scenario.name}, within limits`, limits: AMPLE, keyBudget: '1000' },
        ]
      : [scenario],
  ),
  {
    name: 'a video that is told to two endpoints, one of which fails at first',
    receivers: [[500], []],
    client: create(TEXT_REQUEST),
  },
  {
    name: 'a filtered video that is told by two sweepers, where no second try can be queued',
    sample: 100,
    upstream: { ...PLAIN, ends: { code: 'content_blocked', message: 'filtered' } },
    sweepers: 2,
    receivers: [[503]],
    outage: (name, { role }) =>
      name === 'webhooks.send' && role === 'webhookWorker' ? 'throttled' : undefined,
    client: create(TEXT_REQUEST),
    outcome: 'content_blocked',
  },
  {
    name: 'a video that is deleted in the moment of completion, and told',
    sample: 100,
    receivers: [[]],
    client: createAndDelete(0),
  },
  {
    name: 'a cancelled video that is told to two endpoints, one of which fails at first',
    sample: 60,
    receivers: [[500], []],
    outage: LOST_MESSAGE,
    client: createAnd((client, id) => client.cancel(id)),
    outcome: 'cancelled',
  },
  {
    name: 'five creates at once with money for two',
    sample: longOr(80, ALL),
    limits: { monthlyBudget: '5' },
    client: createMany(5),
    outcomes: 2,
  },
  {
    name: 'two creates, of which the second reaches 80 % of the budget, which an endpoint is told',
    sample: 60,
    limits: { monthlyBudget: '8' },
    receivers: [[500]],
    client: async (client) => {
      await client.create(TEXT_REQUEST, 'first');
      await client.create(TEXT_REQUEST, 'second');
    },
    outcomes: 2,
  },
  {
    name: 'three creates at once, of which the last does not fit into the budget, which an endpoint is told',
    sample: 60,
    limits: { monthlyBudget: '7' },
    receivers: [[]],
    client: async (client) => {
      await Promise.all(['first', 'second', 'third'].map((key) => client.create(TEXT_REQUEST, key)));
    },
    outcomes: 2,
  },
  {
    name: 'a create with money for one, sent twice at once with one key',
    limits: { monthlyBudget: '3.22', videosAtOnce: 1 },
    keyBudget: '3.22',
    client: async (client) => {
      await Promise.all([client.create(TEXT_REQUEST, 'key'), client.create(TEXT_REQUEST, 'key')]);
    },
  },
  {
    name: 'five creates at once with a key that has money for two',
    sample: longOr(60, ALL),
    keyBudget: '5',
    client: createMany(5),
    outcomes: 2,
  },
  {
    name: 'images and a video at once, within limits',
    limits: AMPLE,
    keyBudget: '500',
    client: async (client) => {
      await Promise.all([client.makeImages('one'), client.makeImages('other'), client.create(TEXT_REQUEST)]);
    },
  },
  {
    name: 'an image, asked for once without a key, within limits',
    limits: AMPLE,
    client: async (client) => void (await client.makeImages('one')),
    mostImages: 1,
    outcome: 'no task',
    outcomes: 0,
  },
  {
    name: 'an image that the upstream refuses, within limits',
    limits: AMPLE,
    upstream: { ...PLAIN, rejects: REJECTED },
    client: async (client) => void (await client.makeImages('one')),
    outcome: 'no task',
    outcomes: 0,
  },
  {
    name: 'three images of one request, within limits',
    limits: AMPLE,
    keyBudget: '500',
    client: async (client) => void (await client.makeImages('one', 3)),
    mostImages: 3,
    outcome: 'no task',
    outcomes: 0,
  },
  {
    name: 'two images, asked for with one key until they are there',
    limits: AMPLE,
    client: (client) => client.insistOnImages('a key', 2),
    mostImages: 2,
    outcome: 'no task',
    outcomes: 0,
  },
  {
    name: 'an image, asked for twice at once with one key',
    client: async (client) => {
      await Promise.all([client.insistOnImages('a key'), client.insistOnImages('a key')]);
    },
    mostImages: 1,
    outcome: 'no task',
    outcomes: 0,
  },
];
