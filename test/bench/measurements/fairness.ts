import { hostileWebhooks, listenSlowly } from '../../support/hostile-webhooks.ts';
import { call, createVideo } from '../../support/http.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';

const FULL = {
  slowTasks: 30,
  slowSeconds: 30,
  floodClients: 30,
  requests: 21,
  events: 100,
  hostileEvents: 12,
  hostileAccounts: [1, 10],
};
const QUICK = {
  slowTasks: 1,
  slowSeconds: 1,
  floodClients: 1,
  requests: 1,
  events: 1,
  hostileEvents: 1,
  hostileAccounts: [1],
};
type Sizes = typeof FULL;

const LOOK_MILLISECONDS = 100;

/** Seconds until the upstream accepts a task of another account. */
const measureWait = async (service: Service, key: string): Promise<number> => {
  const started = performance.now();
  const id = await createVideo(service, 'a quick one', key);
  for (;;) {
    const { body } = await call(service, 'GET', `/v1/videos/${id}`, { key });
    if (body.status !== 'queued') return (performance.now() - started) / 1000;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
};

/** Counts the rejected requests of another account while one account floods the API. */
const countRejected = async (
  service: Service,
  key: string,
  { floodClients, requests }: Sizes,
): Promise<number> => {
  let isOver = false;
  const flood = Promise.all(
    Array.from({ length: floodClients }, async () => {
      while (!isOver) await call(service, 'GET', '/v1/videos');
    }),
  );
  let rejected = 0;
  for (let request = 0; request < requests; request += 1)
    if ((await call(service, 'GET', '/v1/videos', { key })).status !== 200) rejected += 1;
  isOver = true;
  await flood;
  return rejected;
};

const EVENT_PAUSE_MILLISECONDS = 100;

/** The delay of an account's events while endpoints of other accounts never respond. */
const eventDelays = async (
  service: Service,
  { events, hostileEvents, hostileAccounts }: Sizes,
): Promise<readonly Figure[]> => {
  const { openHostile, tellAll, openQuick } = hostileWebhooks(service);
  const [silent, quick] = [await listenSlowly(), await openQuick()];
  try {
    const alone = percentile(await quick.measure(events, EVENT_PAUSE_MILLISECONDS), 0.99);
    const figures: Figure[] = [];
    for (const accounts of hostileAccounts) {
      const hostile = await openHostile(accounts, silent.url);
      const tries = silent.tries();
      await tellAll(hostile, hostileEvents);
      await until(() => silent.tries() > tries);
      const delays = await quick.measure(events, EVENT_PAUSE_MILLISECONDS);
      figures.push({
        name: `webhook beside ${accounts} × 10 silent endpoints, p99`,
        measured: percentile(delays, 0.99),
        unit: 's',
        budget: 2,
        note: `${events} events; p50 ${percentile(delays, 0.5).toFixed(2)} s; p99 without them ${alone.toFixed(2)} s`,
      });
    }
    return figures;
  } finally {
    await Promise.all([silent.close(), quick.close()]);
  }
};

/** The effect of slow submits, a flood of requests and silent webhook endpoints on another account. */
export const fairness = async ({ size, start }: Stage): Promise<readonly Figure[]> => {
  const sizes = size(FULL, QUICK);
  const slow = `a slow one [sample: slow start ${sizes.slowSeconds}s]`;
  await using service = await start();
  const other = await service.issueKey('another');
  const alone = await measureWait(service, other);
  await Promise.all(Array.from({ length: sizes.slowTasks }, () => createVideo(service, slow)));
  const beside = await measureWait(service, other);
  const note = `${sizes.slowTasks} tasks of another account whose submits take ${sizes.slowSeconds} s; ${alone.toFixed(1)} s without them`;
  const rejected = await countRejected(service, other, sizes);
  return [
    { name: 'wait beside a slow account', measured: beside, unit: 's', budget: 10, note },
    {
      name: 'requests rejected beside a flood',
      measured: rejected,
      unit: '',
      budget: 0,
      note: `of ${sizes.requests}, while ${sizes.floodClients} clients of another account send without a pause`,
    },
    ...(await eventDelays(service, sizes)),
  ];
};
