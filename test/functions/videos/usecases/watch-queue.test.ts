import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorHeaders } from '../../../../functions/platform/api/dialects.ts';
import type { Logger } from '../../../../functions/platform/domain/log-events.ts';
import { type RetiredModels, retiredModel } from '../../../../functions/videos/domain/offered.ts';
import { accountSlot, type StepMessage, toMinute } from '../../../../functions/videos/domain/step-queue.ts';
import { HAND_OVER, NO_LOAD, type WorkerLoad } from '../../../../functions/videos/domain/worker-capacity.ts';
import { queueAdmission, queueWatcher } from '../../../../functions/videos/usecases/watch-queue.ts';
import { TEXT_REQUEST } from '../../../support/builders/requests.ts';
import { anUpstream } from '../../../support/builders/upstream.ts';
import { MemoryQueueAges } from '../../../support/in-memory/queue-ages.ts';

const MINUTE = 60_000;
const START = 1000 * MINUTE;
const slotsAt = (minute: number, ...accounts: readonly (readonly [string, number])[]) =>
  new Map(accounts.map(([account, readyAt]) => [accountSlot(account, minute), readyAt]));

const build = () => {
  let now = START;
  const errors: unknown[] = [];
  const logger: Logger = { info: () => {}, error: (event, _, fields) => void errors.push([event, fields]) };
  const ages = new MemoryQueueAges();
  let calls = 0;
  const counted = {
    record: (...given: Parameters<typeof ages.record>) => {
      calls += 1;
      return ages.record(...given);
    },
    read: (minute: number) => {
      calls += 1;
      return ages.read(minute);
    },
  };
  const dependencies = { ages: counted, logger, now: () => now };
  return {
    ages,
    errors,
    calls: () => calls,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    dependencies,
  };
};

describe('a worker that receives messages', () => {
  const watcher = (dependencies: Parameters<typeof queueWatcher>[0]) => {
    const { handle } = queueWatcher(dependencies);
    return (received: StepMessage, receives: number) => handle(received, receives, async () => {});
  };
  const message = (account: string, readyAt?: number) => ({ taskId: 't', step: 0, account, readyAt });

  test('records late accounts with their oldest message every half minute', async () => {
    const { ages, calls, pass, dependencies } = build();
    const watch = watcher(dependencies);
    await watch(message('quiet', START - 59_999), 1);
    await watch(message('noisy', START - MINUTE), 1);
    await watch(message('noisy', START - 5 * MINUTE), 1);
    await watch(message('noisy', START - 2 * MINUTE), 1);
    assert.equal(calls(), 1);
    pass(29_999);
    await watch(message('quiet', START + 20_000), 1);
    assert.equal(calls(), 1);
    pass(1);
    await watch(message('quiet', START + 30_000), 1);
    assert.equal(calls(), 2);
    const { onTime, late } = (await ages.read(1000)) ?? {};
    assert.equal(onTime, true);
    assert.deepEqual(late, slotsAt(1000, ['noisy', START - 5 * MINUTE]));
  });

  test('records messages on time once a minute', async () => {
    const { ages, calls, pass, dependencies } = build();
    const watch = watcher(dependencies);
    await watch(message('quiet', START), 1);
    pass(MINUTE - 1);
    await watch(message('quiet', START), 1);
    assert.equal(calls(), 0);
    pass(1);
    for (let count = 0; count < 3; count += 1) await watch(message('quiet', START + MINUTE), 1);
    assert.equal(calls(), 1);
    const { onTime, late, stalledSince } = (await ages.read(1001)) ?? {};
    assert.deepEqual([onTime, late, stalledSince], [true, new Map(), undefined]);
  });

  test('ignores redelivered messages and those without a ready time', async () => {
    const { calls, dependencies } = build();
    const watch = watcher(dependencies);
    await watch(message('one', 0), 2);
    await watch(message('one'), 1);
    assert.equal(calls(), 0);
  });

  test('records the work of all messages, even of those that fail', async () => {
    const { ages, pass, dependencies } = build();
    const { handle, meter } = queueWatcher(dependencies);
    await handle(message('one', START), 1, async () => {
      meter.started();
      pass(800);
    });
    const failing = handle(message('one', START), 1, async () => {
      meter.ended();
      pass(200);
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    pass(MINUTE);
    await handle(message('one', START + MINUTE), 1, async () => {});
    const { work } = (await ages.read(1001)) ?? {};
    assert.deepEqual(work, { busyMs: 1000 + 2 * HAND_OVER, messages: 2, started: 1, ended: 1 });
  });

  test('continues with its task if the record cannot be written', async () => {
    const { errors, pass, dependencies } = build();
    const broken = { ...dependencies.ages, record: () => Promise.reject(new Error('no')) };
    const watch = watcher({ ...dependencies, ages: broken });
    pass(MINUTE);
    await watch(message('one', START), 1);
    assert.deepEqual(errors, [['queue age not recorded', { minute: 1001 }]]);
  });
});

describe('a create', () => {
  const MAX_WAIT = { maxWaitMs: 60 * MINUTE };
  const HOUR_AGO = START - 60 * MINUTE;
  const [A, B] = [anUpstream('a'), anUpstream('b')];

  const admit = (
    { ages, ...rest }: ReturnType<typeof build>['dependencies'],
    { retired = new Set(), load = NO_LOAD }: { retired?: RetiredModels; load?: WorkerLoad } = {},
  ) => {
    const news = { read: async (minute: number) => ({ received: await ages.read(minute), retired, load }) };
    const { refusal } = queueAdmission({ ...rest, ...MAX_WAIT, news, upstreams: [A, B] });
    return { refusal: (account: string, request = TEXT_REQUEST) => refusal(account, request) };
  };

  test('is refused without a retry if every upstream that could serve it has retired the model', async () => {
    const { dependencies } = build();
    const { model } = TEXT_REQUEST;
    const both = admit(dependencies, { retired: new Set([retiredModel(A, model), retiredModel(B, model)]) });
    const error = await both.refusal('one');
    assert.deepEqual([error?.code, error?.rule.http, error?.param], ['model_unavailable', 503, 'model']);
    assert.equal(error && errorHeaders(error)['x-should-retry'], 'false');
    const one = admit(dependencies, { retired: new Set([retiredModel(A, model)]) });
    assert.equal(await one.refusal('one'), undefined);
  });

  test('is refused with Retry-After only if videos of its account wait too long', async () => {
    const { ages, dependencies } = build();
    const minute = toMinute(START) - 1;
    const late = slotsAt(minute, ['over', HOUR_AGO - 1], ['under', HOUR_AGO]);
    await ages.record(minute, { onTime: true, late });
    const { refusal } = admit(dependencies);
    const error = await refusal('over');
    assert.equal(error?.code, 'overloaded');
    assert.equal(error?.rule.http, 503);
    assert.match(error?.message ?? '', /wait more than 60 minutes/);
    assert.equal(error && errorHeaders(error)['retry-after'], '60');
    assert.equal(await refusal('under'), undefined);
    assert.equal(await refusal('quiet'), undefined);
  });

  test('is refused as soon as its account would wait too long, before any video has waited', async () => {
    const { dependencies } = build();
    const minute = toMinute(START) - 1;
    const load = { ...NO_LOAD, minute, crowded: new Set([accountSlot('crowded', minute)]) };
    const { refusal } = admit(dependencies, { load });
    const error = await refusal('crowded');
    assert.deepEqual([error?.code, error && errorHeaders(error)['retry-after']], ['overloaded', '60']);
    assert.equal(await refusal('quiet'), undefined);
  });

  test('is refused for every account if no account is served in time', async () => {
    const { ages, dependencies } = build();
    const minute = toMinute(START) - 1;
    await ages.record(minute, { onTime: false, late: slotsAt(minute, ['over', HOUR_AGO - 1]) });
    assert.equal((await admit(dependencies).refusal('quiet'))?.code, 'overloaded');
  });

  test('costs one read a minute for all accounts', async () => {
    const { calls, pass, dependencies } = build();
    const { refusal } = admit(dependencies);
    await Promise.all(['one', 'two', 'three'].map((account) => refusal(account)));
    pass(MINUTE - 1);
    await refusal('one');
    assert.equal(calls(), 1);
    pass(1);
    await Promise.all(['one', 'two'].map((account) => refusal(account)));
    assert.equal(calls(), 2);
  });

  test('is accepted if the age of the queue cannot be read', async () => {
    const { errors, dependencies } = build();
    const broken = { ...dependencies.ages, read: () => Promise.reject(new Error('no')) };
    const { refusal } = admit({ ...dependencies, ages: broken });
    assert.equal(await refusal('one'), undefined);
    assert.deepEqual(errors, [['queue age not read', { minute: 999 }]]);
  });
});
