import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../console/api/errors.ts';
import { clearQueries, createPagedQuery, createQuery } from '../../../console/api/query.ts';
import { updateEntry } from '../../../console/api/update-entry.ts';

const answered = (status: number, headers: Record<string, string> = {}): ApiError =>
  new ApiError(status, { error: { message: `answered ${status}` } }, new Headers(headers));

/** Records the requests to a source; each stays open until it gets a response. */
const source = <Data>() => {
  const asked: { readonly signal: AbortSignal; readonly answer: PromiseWithResolvers<Data> }[] = [];
  const load = (signal: AbortSignal): Promise<Data> => {
    const answer = Promise.withResolvers<Data>();
    asked.push({ signal, answer });
    return answer.promise;
  };
  const reply = async (index: number, data: Data): Promise<void> => {
    asked[index]?.answer.resolve(data);
    await settle();
  };
  const fail = async (index: number, error: Error): Promise<void> => {
    asked[index]?.answer.reject(error);
    await settle();
  };
  return { asked, load, reply, fail };
};

const replied = new WeakSet<object>();

/** Waits until all pending promises have settled. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

const useClock = () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  return {
    tick: async (ms: number): Promise<void> => {
      mock.timers.tick(ms);
      await settle();
    },
    [Symbol.dispose]: () => mock.timers.reset(),
  };
};

describe('a query', () => {
  test('fetches once for all subscribers, and again when the data is stale', async () => {
    using clock = useClock();
    const { asked, load, reply } = source<string>();
    const entry = createQuery<[id: string], string>(load).entry('a');
    entry.subscribe(() => {});
    entry.subscribe(() => {});
    assert.equal(asked.length, 1);
    await reply(0, 'one');
    assert.equal(entry.snapshot().data, 'one');
    await clock.tick(9_999);
    entry.subscribe(() => {});
    assert.equal(asked.length, 1);
    await clock.tick(1);
    entry.subscribe(() => {});
    assert.equal(asked.length, 2);
  });

  test('that never gets stale fetches once, and again when it is invalidated', async () => {
    using clock = useClock();
    const { asked, load, reply } = source<string>();
    const query = createQuery<[], string>(load, { staleMs: Number.POSITIVE_INFINITY });
    query.entry().subscribe(() => {});
    await reply(0, 'one');
    await clock.tick(1_000_000_000);
    query.entry().subscribe(() => {});
    assert.equal(asked.length, 1);
    void query.invalidate();
    assert.equal(asked.length, 2);
  });

  test('does not fetch at once if it has initial data', () => {
    using _clock = useClock();
    const { asked, load } = source<number>();
    const entry = createQuery<[], number>(load, { initial: 0 }).entry();
    entry.subscribe(() => {});
    assert.deepEqual([asked.length, entry.snapshot().data], [0, 0]);
  });

  test('keeps data for each set of arguments', async () => {
    using _clock = useClock();
    const query = createQuery<[{ readonly status: string | undefined }], string>(
      async (_, [{ status }]) => status ?? 'all',
    );
    for (const status of ['failed', undefined]) await query.entry({ status }).fetch();
    assert.equal(query.entry({ status: 'failed' }).snapshot().data, 'failed');
    assert.equal(query.entry({ status: undefined }).snapshot().data, 'all');
  });

  test('keeps the same object if the response is the same', async () => {
    using _clock = useClock();
    const entry = createQuery<[], readonly string[]>(async () => ['a']).entry();
    await entry.fetch();
    const { data } = entry.snapshot();
    await entry.fetch();
    assert.equal(entry.snapshot().data, data);
  });

  test('starts a new request when it is invalidated, and ignores the old response', async () => {
    using _clock = useClock();
    const { asked, load, reply } = source<string>();
    const query = createQuery<[], string>(load);
    const entry = query.entry();
    entry.subscribe(() => {});
    void query.invalidate();
    const aborted = asked.map(({ signal }) => signal.aborted);
    assert.deepEqual(aborted, [true, false]);
    await reply(1, 'new');
    await reply(0, 'old');
    assert.equal(entry.snapshot().data, 'new');
  });

  test('that is updated during a request ignores its response, from before the update', async () => {
    using clock = useClock();
    const { asked, load, reply } = source<readonly string[]>();
    const entry = createQuery<[], readonly string[]>(load).entry();
    entry.subscribe(() => {});
    updateEntry(entry, (known) => [...known, 'new']);
    assert.equal(asked.length, 2, 'without data, the request starts again');
    await reply(0, ['old']);
    assert.equal(entry.snapshot().data, undefined);
    await reply(1, ['old', 'new']);
    await clock.tick(10_000);
    entry.subscribe(() => {});
    assert.equal(asked.length, 3);
    updateEntry(entry, (known) => known.slice(1));
    await reply(2, ['old', 'new']);
    assert.deepEqual(entry.snapshot().data, ['new']);
    assert.equal(asked.length, 3);
  });

  test('does not fetch without subscribers, and stops when the last one leaves', async () => {
    using clock = useClock();
    const { asked, load } = source<string>();
    const query = createQuery<[], string>(load);
    const entry = query.entry();
    await query.invalidate();
    assert.equal(asked.length, 0);
    const leave = [entry.subscribe(() => {}), entry.subscribe(() => {})];
    leave[0]?.();
    assert.equal(asked[0]?.signal.aborted, false);
    leave[1]?.();
    assert.equal(asked[0]?.signal.aborted, true);
    await clock.tick(5 * 60_000 - 1);
    assert.equal(query.entry(), entry);
    await clock.tick(1);
    assert.notEqual(query.entry(), entry);
  });

  test('retries transient errors three times, after the time that the service asks for', async () => {
    using clock = useClock();
    const { asked, load, fail } = source<string>();
    const entry = createQuery<[], string>(load).entry();
    void entry.fetch();
    await fail(0, answered(429, { 'retry-after': '7' }));
    await clock.tick(6_999);
    assert.equal(asked.length, 1);
    await clock.tick(1);
    await fail(1, answered(503));
    await clock.tick(1_999);
    assert.equal(asked.length, 2);
    await clock.tick(1);
    await fail(2, answered(0));
    await clock.tick(4_000);
    assert.equal(entry.snapshot().error, null);
    await fail(3, answered(500));
    assert.equal(entry.snapshot().error?.message, 'answered 500');
    assert.equal(asked.length, 4);
  });

  for (const [what, error] of [
    ['permanent errors', answered(404)],
    ['what the service asks not to retry', answered(429, { 'x-should-retry': 'false' })],
    ['what it asks to retry after a minute', answered(503, { 'retry-after': '60' })],
    ['defects', new Error('a defect')],
  ] as const)
    test(`does not retry ${what}`, async () => {
      using _clock = useClock();
      const { asked, load, fail, reply } = source<string>();
      const entry = createQuery<[], string>(load).entry();
      const ended = entry.fetch();
      await fail(0, error);
      await ended;
      assert.equal(entry.snapshot().error, error);
      void entry.fetch();
      assert.equal(entry.snapshot().error, null, 'who asks again waits, and does not read the old error');
      await reply(1, 'well');
      assert.deepEqual([entry.snapshot().data, asked.length], ['well', 2]);
    });

  test('keeps its data after a later error', async () => {
    using _clock = useClock();
    const { load, reply, fail } = source<string>();
    const entry = createQuery<[], string>(load).entry();
    void entry.fetch();
    await reply(0, 'one');
    void entry.fetch();
    await fail(1, answered(404));
    assert.deepEqual([entry.snapshot().data, entry.snapshot().error?.message], ['one', 'answered 404']);
  });

  test('has at most one open request, and ignores the response to an aborted one', async () => {
    using clock = useClock();
    const step = fc.constantFrom('look', 'leave', 'fetch', 'invalidate', 'answer', 'refuse', 'wait');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(5)), { maxLength: 30 }), async (steps) => {
        const { asked, load, reply, fail } = source<number>();
        const query = createQuery<[], number>(load);
        const entry = query.entry();
        const leaves: (() => void)[] = [];
        let believed: number | undefined;
        for (const [what, index] of steps) {
          const isOpen = asked[index]?.signal.aborted === false && !replied.has(asked[index]);
          if (what === 'look') leaves.push(entry.subscribe(() => {}));
          if (what === 'leave') leaves.pop()?.();
          if (what === 'fetch') void entry.fetch();
          if (what === 'invalidate') void query.invalidate();
          if (what === 'wait') await clock.tick(index * 5000);
          if (what === 'answer' && isOpen) believed = index;
          if (what === 'answer') await reply(index, index);
          if (what === 'refuse') await fail(index, answered(404));
          if (['answer', 'refuse'].includes(what) && asked[index] !== undefined) replied.add(asked[index]);
          const open = asked.filter((one) => !one.signal.aborted && !replied.has(one));
          assert.ok(open.length <= 1);
          assert.equal(entry.snapshot().data, believed);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('forgets everything on sign-out', async () => {
    using _clock = useClock();
    const query = createQuery<[], string>(async () => 'a secret');
    await query.entry().fetch();
    clearQueries();
    assert.equal(query.entry().snapshot().data, undefined);
  });
});

describe('a paged query', () => {
  type Page = { readonly ids: string; readonly next?: string };
  const PAGES: Record<string, Page> = {
    '': { ids: 'ab', next: 'b' },
    b: { ids: 'cd', next: 'd' },
    d: { ids: 'e' },
  };
  const toIds = (pages: readonly Page[] | undefined): string => pages?.map(({ ids }) => ids).join('') ?? '';
  const createPages = () => {
    const asked: string[] = [];
    const query = createPagedQuery<[], Page>(
      async (_, after) => {
        asked.push(after);
        return PAGES[after] ?? { ids: '' };
      },
      ({ next }) => next,
    );
    return { query, asked, shown: () => toIds(query.entry().snapshot().data) };
  };

  test('loads pages to the end, and refreshes as many as it has', async () => {
    using _clock = useClock();
    const { query, asked, shown } = createPages();
    await query.entry().fetch();
    assert.equal(shown(), 'ab');
    await query.loadMore();
    assert.equal(shown(), 'abcd');
    assert.equal(query.hasMore(query.entry().snapshot().data), true);
    await query.entry().fetch();
    assert.deepEqual(asked, ['', 'b', '', 'b']);
    await query.loadMore();
    await query.loadMore();
    assert.equal(shown(), 'abcde');
    assert.equal(query.hasMore(query.entry().snapshot().data), false);
    assert.deepEqual(asked.slice(4), ['d']);
  });

  test('loads the next page after the current request, not instead of it', async () => {
    using _clock = useClock();
    const { query, shown } = createPages();
    void query.entry().fetch();
    await query.loadMore();
    assert.equal(shown(), 'abcd');
  });

  test('drops a page whose predecessor was replaced meanwhile', async () => {
    using _clock = useClock();
    const { query, shown } = createPages();
    await query.entry().fetch();
    const more = query.loadMore();
    query.entry().set([{ ids: 'xy', next: 'y' }]);
    await more;
    assert.equal(shown(), 'xy');
  });
});
