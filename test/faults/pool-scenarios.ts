import { UpstreamError } from '../../functions/upstream/domain/faults.ts';
import type { Upstream } from '../../functions/upstream/domain/upstreams.ts';
import { FRAMES_REQUEST, TEXT_REQUEST } from '../support/builders/requests.ts';
import { anUpstream as buildUpstream } from '../support/builders/upstream.ts';
import type { CallName } from '../support/in-memory/call.ts';
import { longOr } from '../support/long-tests.ts';
import {
  ALL,
  BUSY,
  createMany,
  during,
  minutes,
  PLAIN,
  type Scenario,
  UNANSWERED,
  WRONG_KEY,
} from './scenarios.ts';

/** Fewer checks, which other scenarios cover. */
const QUICK = { generating: 1500 };
const UNAVAILABLE = new UpstreamError('failing', 'unavailable', { httpStatus: 503 });

const RETIRED = new UpstreamError('retired', 'no such model', { httpStatus: 404 });

type Limits = Pick<Upstream, 'submitsPerMinute' | 'videosAtOnce'>;

const anUpstream = (name: string, priority: number, limits: Limits = {}): Upstream =>
  buildUpstream(name, { priority, ...limits });

/** Another deployment of the service: it starts one operation for all submits with the same key. */
const aDeployment = (name: string, priority: number, limits: Limits = {}): Upstream => ({
  name,
  kind: 'openai',
  baseUrl: `https://${name}.test`,
  options: 'media-generation',
  models: {},
  priority,
  weight: 1,
  ...limits,
});

/** A place whose submit was lost is free again when the video would have failed. */
const LOST_PLACE = minutes(31);

/** The other calls fail in the scenarios with one upstream. */
const NEW_CALLS = ['pool.', 'line.', 'tasks.advance', 'generator.submit', 'queue.send'];
const isNewCall = (name: CallName): boolean => NEW_CALLS.some((start) => name.startsWith(start));

/** Several upstreams: a task goes from one to the next, waits in line, or stays where its operation is. */
const PLAIN_SCENARIOS: readonly Scenario[] = [
  {
    name: 'three upstreams that refuse in different ways, and one that accepts',
    pool: {
      settings: () => [
        anUpstream('busy', 1),
        anUpstream('key-refused', 2),
        anUpstream('unavailable', 3),
        anUpstream('healthy', 4),
      ],
      plans: {
        busy: { ...QUICK, submitErrors: [BUSY, BUSY] },
        'key-refused': { ...QUICK, rejects: WRONG_KEY },
        unavailable: { ...QUICK, submitErrors: [UNAVAILABLE, UNAVAILABLE] },
        healthy: QUICK,
      },
    },
    // The fault may keep the task from the last one until the key is tried again.
    longestDelay: minutes(8),
    client: createMany(1),
  },
  {
    name: 'an upstream that takes a task without saying so, then refuses it, and another that accepts',
    pool: {
      settings: () => [anUpstream('first', 1), anUpstream('second', 2)],
      plans: { first: { ...QUICK, submitErrors: [undefined, BUSY] }, second: QUICK },
    },
    outage: during(5000, ['generator.submit'], 'timeout though applied'),
    // With one more lost answer, the allowed repetition is used up.
    otherOutcomes: ['upstream_unavailable'],
    client: createMany(1),
  },
  {
    name: 'four tasks that wait in line for two upstreams with limits',
    sample: longOr(80, ALL),
    pool: {
      settings: () => [
        anUpstream('first', 1, { videosAtOnce: 1, submitsPerMinute: 1 }),
        anUpstream('second', 2, { videosAtOnce: 1, submitsPerMinute: 2 }),
      ],
      plans: { first: QUICK, second: QUICK },
    },
    longestDelay: LOST_PLACE + minutes(6),
    client: createMany(4),
    outcomes: 4,
  },
  {
    name: 'two filtered videos at an upstream that generates one at a time',
    pool: {
      settings: () => [anUpstream('first', 1, { videosAtOnce: 1 })],
      plans: { first: { ...QUICK, ends: { code: 'content_blocked', message: 'filtered' } } },
    },
    longestDelay: LOST_PLACE + minutes(6),
    client: createMany(2),
    outcome: 'content_blocked',
    outcomes: 2,
  },
  {
    name: 'a deployment behind this one whose answers are lost, and another upstream',
    pool: {
      settings: () => [aDeployment('hub', 1), anUpstream('second', 2)],
      plans: { hub: { ...QUICK, isIdempotent: true }, second: QUICK },
    },
    // The submit is repeated there until it is answered: nothing is generated twice.
    outage: during(20_000, ['generator.submit'], 'timeout though applied'),
    longestDelay: minutes(8),
    client: createMany(2),
    outcomes: 2,
  },
  {
    name: 'a deployment behind this one that is busy after a lost answer',
    pool: {
      settings: () => [aDeployment('hub', 1, { videosAtOnce: 1 })],
      plans: { hub: { ...QUICK, isIdempotent: true, submitErrors: [UNANSWERED, BUSY, WRONG_KEY] } },
    },
    longestDelay: LOST_PLACE + minutes(6),
    client: createMany(1),
  },
  {
    name: 'a model that the first of two upstreams has retired',
    pool: {
      settings: () => [anUpstream('first', 1), anUpstream('second', 2)],
      plans: { first: { ...QUICK, rejects: RETIRED }, second: QUICK },
    },
    client: createMany(2),
    outcomes: 2,
  },
  {
    name: 'a model that the only upstream has retired while tasks wait in line',
    pool: {
      settings: () => [anUpstream('first', 1, { videosAtOnce: 1 })],
      plans: { first: { ...QUICK, rejects: RETIRED } },
    },
    longestDelay: LOST_PLACE + minutes(6),
    client: createMany(3),
    outcome: 'model_unavailable',
    outcomes: 3,
  },
  {
    name: 'frames and text in line for two upstreams, of which one takes no frames',
    pool: {
      settings: () => [
        buildUpstream('text', { priority: 1, videosAtOnce: 1, offers: { modes: ['text'] } }),
        anUpstream('frames', 2, { videosAtOnce: 1 }),
      ],
      plans: { text: QUICK, frames: QUICK },
    },
    longestDelay: LOST_PLACE + minutes(6),
    client: async (client) => {
      const requests = [FRAMES_REQUEST, TEXT_REQUEST, FRAMES_REQUEST, TEXT_REQUEST];
      await Promise.all(requests.map((request) => client.create(request)));
    },
    outcomes: 4,
  },
  {
    name: 'an upstream that leaves the settings while its operation runs',
    upstream: PLAIN,
    pool: {
      settings: (now) => [
        ...(now < 4000 ? [anUpstream('first', 1, { videosAtOnce: 1 })] : []),
        anUpstream('second', 2),
      ],
      plans: { first: PLAIN, second: PLAIN },
    },
    client: createMany(1),
  },
  {
    name: 'limits that leave the settings while tasks wait',
    pool: {
      settings: (now) => (now < minutes(1) ? [anUpstream('first', 1, { submitsPerMinute: 1 })] : []),
      plans: { first: QUICK },
    },
    client: createMany(2),
    outcomes: 2,
  },
  {
    name: 'an upstream that fails seven times and then works',
    sample: longOr(60, ALL),
    pool: {
      settings: () => [anUpstream('first', 1, { submitsPerMinute: 100 })],
      plans: { first: { ...QUICK, submitErrors: Array.from({ length: 7 }, () => UNAVAILABLE) } },
    },
    client: createMany(2),
    outcomes: 2,
  },
];

export const POOL_SCENARIOS = PLAIN_SCENARIOS.map((scenario) => ({
  faultsAt: isNewCall,
  upstream: QUICK,
  ...scenario,
}));
