import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LogFields } from '../../../../functions/platform/domain/log-events.ts';
import { failoverPool } from '../../../../functions/upstream/domain/failover.ts';
import { UpstreamError, type UpstreamFault } from '../../../../functions/upstream/domain/faults.ts';
import type { Choice } from '../../../../functions/upstream/domain/pool.ts';
import { ALL_MODELS } from '../../../../functions/upstream/domain/upstream-state.ts';
import type { Upstream } from '../../../../functions/upstream/domain/upstreams.ts';
import { ANY_IMAGE, aVideo } from '../../../support/builders/needs.ts';
import { anUpstream, OWN_NAMES } from '../../../support/builders/upstream.ts';
import { type Call, type CallName, callAtOnce } from '../../../support/in-memory/call.ts';
import { MemoryPool, poolStatesPort } from '../../../support/in-memory/upstreams.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const MODEL = 'video-3.1-generate-preview';
const OTHER = 'video-3.1-fast-generate-preview';
const START = Date.UTC(2026, 0, 1);
const NONE: ReadonlySet<string> = new Set();
const [A, B, C] = [
  anUpstream('a', { priority: 1 }),
  anUpstream('b', { priority: 2 }),
  anUpstream('c', { priority: 3 }),
];

const failure = (fault: UpstreamFault, httpStatus?: number, retryAfterSeconds?: number) =>
  new UpstreamError(fault, 'no', { ...(httpStatus && { httpStatus }), retryAfterSeconds });

/** Workers that share one state, and a clock. */
const build = (upstreams: readonly Upstream[] = [A, B, C], failing: readonly CallName[] = []) => {
  const state = new MemoryPool();
  const calls: CallName[] = [];
  const logged: (readonly [event: string, fields: LogFields])[] = [];
  const errors: (readonly [event: string, fields: LogFields])[] = [];
  let time = START;
  const call: Call = (name, apply, refused) => {
    calls.push(name);
    if (failing.includes(name)) return Promise.reject(new Error('throttled'));
    return callAtOnce(name, apply, refused);
  };
  const newWorker = (known: readonly Upstream[] = upstreams) =>
    failoverPool({
      upstreams: known,
      states: poolStatesPort(state, call),
      logger: {
        info: (event, fields) => void logged.push([event, fields]),
        error: (event, _, fields) => void errors.push([event, fields]),
      },
      now: () => time,
      random: seededRandom(3),
    });
  return {
    state,
    calls,
    logged,
    errors,
    newWorker,
    pool: newWorker(),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    now: () => time,
  };
};

const video = { model: MODEL, tried: NONE, needs: aVideo() } as const;
const image = { ...video, needs: ANY_IMAGE } as const;

/** The name of the chosen upstream, or the kind of the choice. */
const chosen = (choice: Choice): string => (choice.kind === 'chosen' ? choice.upstream.name : choice.kind);

test('the calls of a worker are counted by upstream and UTC day, and saved once a minute', async () => {
  const { pool, state, pass } = build();
  for (const error of [undefined, failure('rejected', 400), failure('busy', 429), failure('failing', 500)])
    await pool.note('a', MODEL, error);
  pass(59_999);
  await pool.saveCounts();
  assert.deepEqual([...state.counts], []);
  pass(1);
  await pool.saveCounts();
  const counts = { accepted: 1, rejected: 1, refused: 1, failed: 1 };
  assert.deepEqual([...state.counts], [['a 2026-01-01', counts]]);
  pass(60_000);
  await pool.saveCounts();
  assert.deepEqual([...state.counts], [['a 2026-01-01', counts]]);
  await pool.note('a', MODEL);
  await pool.saveCounts();
  assert.deepEqual([...state.counts], [['a 2026-01-01', { ...counts, accepted: 2 }]]);
});

describe('the choice of an upstream', () => {
  test('is the first by priority, with its definition for later', async () => {
    const { pool } = build();
    assert.deepEqual(await pool.choose(video), {
      kind: 'chosen',
      upstream: { name: 'a', definition: JSON.stringify(anUpstream('a', { models: {} })) },
      place: undefined,
      isIdempotent: false,
    });
  });

  test('fails over to the next that was not tried, and ends', async () => {
    const { pool } = build();
    const names: string[] = [];
    for (const tried of [[], ['a'], ['a', 'b'], ['a', 'b', 'c']])
      names.push(chosen(await pool.choose({ ...video, tried: new Set(tried) })));
    assert.deepEqual(names, ['a', 'b', 'c', 'none']);
  });

  test('skips upstreams that do not offer the model', async () => {
    const { pool } = build([anUpstream('a', { models: { ...OWN_NAMES, [MODEL]: null } }), B]);
    assert.equal(chosen(await pool.choose(video)), 'b');
    assert.equal(chosen(await pool.choose({ ...video, model: OTHER })), 'a');
    assert.equal(chosen(await pool.choose({ ...video, tried: new Set(['b']) })), 'none');
  });

  test('skips upstreams that are cooling down, for this model alone', async () => {
    const { pool, logged } = build();
    await pool.note('a', MODEL, failure('busy', 429, 29.1));
    assert.equal(chosen(await pool.choose(video)), 'b');
    assert.equal(chosen(await pool.choose({ ...video, model: OTHER })), 'a');
    const pause = { upstream: 'a', model: MODEL, reason: 'busy', seconds: 30 };
    assert.deepEqual(logged, [['upstream pauses', pause]]);
  });

  test('is paused until the first cool-down ends', async () => {
    const { pool, now, pass } = build();
    await pool.note('a', MODEL, failure('busy', 429, 30));
    await pool.note('b', MODEL, failure('operator', 401));
    await pool.note('c', MODEL, failure('exhausted', 429));
    assert.deepEqual(await pool.choose(video), { kind: 'paused', until: now() + 30_000 });
    pass(30_000);
    assert.equal(chosen(await pool.choose(video)), 'a');
  });

  test('skips disabled upstreams, and asks again after a minute if all are disabled', async () => {
    const { pool, state, now } = build([A, B]);
    state.entry('a').isDisabled = true;
    assert.equal(chosen(await pool.choose(video)), 'b');
    state.entry('b').isDisabled = true;
    pool.forget();
    assert.deepEqual(await pool.choose(video), { kind: 'paused', until: now() + 60_000 });
  });

  test('after a refusal waits for busy and failing upstreams, but not for others', async () => {
    const { pool, state, now } = build();
    const tried = new Set(['a']);
    state.entry('b').coolDowns.set(ALL_MODELS, { until: now() + 300_000, reason: 'refused' });
    state.entry('c').coolDowns.set(MODEL, { until: now() + 900_000, reason: 'quota' });
    assert.equal(chosen(await pool.choose({ ...video, tried })), 'none');
    state.entry('b').coolDowns.clear();
    state.entry('b').isDisabled = true;
    pool.forget();
    assert.equal(chosen(await pool.choose({ ...video, tried })), 'none');
    for (const reason of ['busy', 'failing'] as const) {
      state.entry('c').coolDowns.set(MODEL, { until: now() + 9000, reason });
      pool.forget();
      assert.deepEqual(await pool.choose({ ...video, tried }), { kind: 'paused', until: now() + 9000 });
    }
  });

  test('knows whether a refused request may be sent to another upstream', () => {
    assert.deepEqual([build([A]).pool.hasOthers, build([A, B]).pool.hasOthers], [false, true]);
  });
});

describe('a limited upstream', () => {
  const LIMITED = anUpstream('a', { submitsPerMinute: 2, videosAtOnce: 5 });

  test('offers a place that removes the past entries', async () => {
    const { pool, state, now } = build([LIMITED]);
    const { starts, places } = state.entry('a');
    starts.set('past', now() - 61_000).set('recent', now() - 1);
    places.set('over', now()).set('running', now() + 1);
    const choice = await pool.choose(video);
    assert.deepEqual(choice.kind === 'chosen' && choice.place, {
      upstream: 'a',
      submitsPerMinute: 2,
      videosAtOnce: 5,
      pastStarts: ['past'],
      pastPlaces: ['over'],
    });
  });

  test('is full at its limit, unless another one has room', async () => {
    const crowd = (upstreams: readonly Upstream[]) => {
      const world = build(upstreams);
      world.state.entry('a').starts.set('one', START).set('two', START);
      return world.pool.choose(video);
    };
    assert.deepEqual(await crowd([LIMITED]), { kind: 'full', line: undefined });
    assert.equal(chosen(await crowd([LIMITED, B])), 'b');
  });

  test('counts as full after other tasks have taken the last place', async () => {
    const { pool } = build([LIMITED, B]);
    const full = new Set(['a']);
    assert.equal(chosen(await pool.choose({ ...video, full })), 'b');
    assert.equal(chosen(await pool.choose({ ...video, full, tried: new Set(['b']) })), 'full');
  });

  test('is not full for the task that has its last place, until the place expires', async () => {
    const world = build([{ ...LIMITED, videosAtOnce: 1 }]);
    const choose = async (taskId: string) => {
      world.pool.forget();
      return chosen(await world.pool.choose({ ...video, taskId }));
    };
    const { places } = world.state.entry('a');
    places.set('task_1', world.now() + 1);
    assert.deepEqual([await choose('task_1'), await choose('task_2')], ['a', 'full']);
    places.set('task_1', world.now()).set('task_2', world.now() + 1);
    assert.deepEqual([await choose('task_1'), await choose('task_2')], ['full', 'a']);
  });

  describe('with a line', () => {
    const withLine = (upstreams: readonly Upstream[] = [LIMITED]) => {
      const world = build(upstreams);
      world.state.setLine(MODEL, { until: START + 1000, served: 4 });
      return world;
    };

    test('holds back new tasks, but not those that were called', async () => {
      const { pool } = withLine();
      assert.deepEqual(await pool.choose(video), { kind: 'full', line: { until: START + 1000, served: 4 } });
      assert.equal(chosen(await pool.choose({ ...video, isServed: true })), 'a');
    });

    test('does not hold back images, other models, and tasks for an unlimited upstream', async () => {
      const { pool } = withLine();
      assert.equal(chosen(await pool.choose(image)), 'a');
      assert.equal(chosen(await pool.choose({ ...video, model: OTHER })), 'a');
      assert.equal(chosen(await withLine([LIMITED, B]).pool.choose(video)), 'b');
    });

    test('holds nobody back after its time', async () => {
      const { pool, pass } = withLine();
      pass(1000);
      assert.equal(chosen(await pool.choose(video)), 'a');
    });

    test('can be served when there is room now', async () => {
      const { pool, state, calls } = withLine();
      const free = async (model: string) => (await pool.freeForLine(model)).map(({ name }) => name);
      assert.deepEqual([await free(MODEL), await free(OTHER)], [['a'], []]);
      const { starts } = state.entry('a');
      starts.set('one', START - 1).set('two', START - 1);
      assert.deepEqual(await free(MODEL), []);
      assert.deepEqual(calls, ['pool.read', 'pool.read', 'pool.read']);
    });
  });
});

describe('a retired model', () => {
  const RETIRED = failure('retired', 404);

  test('is not offered by its upstream for six hours, while other models are', async () => {
    const { pool, pass, errors, newWorker } = build([A, B]);
    await pool.note('a', MODEL, RETIRED);
    const retirement = { upstream: 'a', model: MODEL, replacement: undefined, httpStatus: 404 };
    assert.deepEqual(errors, [['upstream model retired', retirement]]);
    const renamed = anUpstream('a', { models: { [MODEL]: 'another' } });
    assert.equal(chosen(await newWorker([renamed, B]).choose(video)), 'a');
    assert.equal(chosen(await pool.choose(video)), 'b');
    assert.equal(chosen(await pool.choose({ ...video, model: OTHER })), 'a');
    pass(6 * 60 * 60 * 1000);
    assert.equal(chosen(await pool.choose(video)), 'a');
  });

  test('ends requests that no other upstream can serve', async () => {
    const { pool } = build([A, anUpstream('b', { offers: { modes: ['text'] } })]);
    await pool.note('a', MODEL, RETIRED);
    assert.equal(chosen(await pool.choose(video)), 'b');
    assert.equal(chosen(await pool.choose({ ...video, needs: aVideo({ mode: 'references' }) })), 'retired');
    const tried = new Set(['b']);
    assert.equal(chosen(await pool.choose({ ...video, tried })), 'none', 'b may accept it later');
  });
});

describe('the circuit breaker', () => {
  const FAILURES = [failure('failing', 500), failure('unanswered'), failure('failing', 503)];
  /** Fails so many times, with a choice before each call. */
  const fail = async ({ pool }: ReturnType<typeof build>, times: number) => {
    for (let count = 0; count < times; count += 1) {
      await pool.choose(video);
      await pool.note('a', MODEL, FAILURES[count % FAILURES.length]);
    }
  };

  test('opens after five failures in a row, for all models', async () => {
    const world = build();
    await fail(world, 4);
    assert.equal(chosen(await world.pool.choose(video)), 'a');
    await fail(world, 1);
    assert.equal(chosen(await world.pool.choose(video)), 'b');
    assert.equal(chosen(await world.pool.choose({ ...video, model: OTHER })), 'b');
    assert.deepEqual(world.logged, [
      ['upstream pauses', { upstream: 'a', model: ALL_MODELS, reason: 'failing', seconds: 30 }],
    ]);
  });

  for (const [title, error] of [
    ['a success', undefined],
    ['a rejected request', failure('rejected', 400)],
  ] as const)
    test(`counts again from zero after ${title}`, async () => {
      const world = build();
      await fail(world, 4);
      await world.pool.choose(video);
      await world.pool.note('a', MODEL, error);
      await fail(world, 4);
      assert.equal(chosen(await world.pool.choose(video)), 'a');
    });

  test('lets exactly one of many workers probe after 30 seconds, and again after the next 30', async () => {
    const world = build([A]);
    await fail(world, 5);
    const workers = Array.from({ length: 20 }, () => world.newWorker());
    const choices = () => Promise.all(workers.map(async (worker) => chosen(await worker.choose(video))));
    world.pass(29_999);
    assert.equal((await choices()).includes('a'), false);
    for (const wait of [1, 30_000]) {
      world.pass(wait);
      for (const worker of workers) worker.forget();
      const names = await choices();
      assert.deepEqual(names.toSorted(), ['a', ...Array(19).fill('paused')]);
    }
  });

  test('is closed for all workers by a successful probe', async () => {
    const world = build([A]);
    await fail(world, 5);
    world.pass(30_000);
    assert.equal(chosen(await world.pool.choose(video)), 'a');
    // Another call of the same worker makes it forget the state meanwhile.
    world.pool.forget();
    await world.pool.note('a', MODEL);
    assert.equal(chosen(await world.newWorker().choose(video)), 'a');
    assert.deepEqual([world.state.entry('a').failures, world.state.entry('a').coolDowns.size], [0, 0]);
  });

  test('is not probed by a task that finds no place', async () => {
    const world = build([anUpstream('a', { videosAtOnce: 1 })]);
    await fail(world, 5);
    world.state.entry('a').places.set('another', START + 3_600_000);
    world.pass(30_000);
    assert.equal(chosen(await world.pool.choose(video)), 'full');
    assert.equal(world.calls.includes('pool.claimProbe'), false);
  });
});

describe('the shared state', () => {
  test('is read at most once in 5 seconds', async () => {
    const { pool, calls, pass } = build();
    await pool.choose(video);
    pass(4999);
    await pool.choose(video);
    await pool.note('a', MODEL);
    assert.deepEqual(calls, ['pool.read']);
    pass(1);
    await pool.choose(video);
    assert.deepEqual(calls, ['pool.read', 'pool.read']);
  });

  test('does not fail a task if it cannot be saved', async () => {
    const { pool, errors } = build([A, B], ['pool.coolDown', 'pool.addFailure']);
    await pool.note('a', MODEL, failure('busy', 429));
    await pool.note('a', MODEL, failure('failing', 500));
    assert.deepEqual(errors, Array(2).fill(['upstream state not saved', { upstream: 'a' }]));
  });
});
