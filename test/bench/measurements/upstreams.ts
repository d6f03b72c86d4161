import { createVideo, waitFor } from '../../support/http.ts';
import { startPooledService } from '../../support/pooled-service.ts';
import type { Service } from '../../support/service.ts';
import { readTimes } from '../logged-times.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';

const ARRIVAL_MILLISECONDS = 150;
const BUDGET_SECONDS = 2;

/** Seconds from the create to the submit of each task; throws unless all of them complete. */
const measureSubmits = async (
  service: Pick<Service, 'baseUrl' | 'apiKey' | 'logs'>,
  tasks: number,
): Promise<readonly number[]> => {
  const ids: string[] = [];
  for (let count = 0; count < tasks; count += 1) {
    ids.push(await createVideo(service, 'a lighthouse'));
    await new Promise((resolve) => setTimeout(resolve, ARRIVAL_MILLISECONDS));
  }
  for (const id of ids) {
    const { status } = (await waitFor(service, id)).body;
    if (status !== 'completed') throw new Error(`video ${id} is ${status}`);
  }
  const [created, submitted] = [readTimes(service, 'task created'), readTimes(service, 'task submitted')];
  return ids.map((id) => ((submitted.get(id) ?? Number.NaN) - (created.get(id) ?? Number.NaN)) / 1000);
};

const measureSingle = async (start: Stage['start'], tasks: number): Promise<readonly number[]> => {
  await using service = await start();
  return await measureSubmits(service, tasks);
};

const measurePool = async (tasks: number, size: Stage['size']): Promise<readonly number[]> => {
  await using service = await startPooledService(
    [
      { name: 'limited', limits: { submitsPerMinute: 5 } },
      { name: 'blocked', limits: { blocked: true } },
      { name: 'healthy' },
    ],
    // Without options, its functions have no processes.
    ...size([{}], []),
  );
  return await measureSubmits(service, tasks);
};

/** How much later videos are submitted if two of three upstreams refuse them. */
export const upstreams = async ({ size, start }: Stage): Promise<readonly Figure[]> => {
  const tasks = size(100, 1);
  const single = percentile(await measureSingle(start, tasks), 0.5);
  const pooled = percentile(await measurePool(tasks, size), 0.5);
  const note = `${tasks} tasks, p50 from create to submitted; one of three upstreams is rate-limited, one has a blocked key`;
  return [
    { name: 'create to submitted, one upstream', measured: single, unit: 's', note },
    { name: 'create to submitted, troubled pool', measured: pooled, unit: 's', note },
    {
      name: 'later because of the troubled pool',
      measured: pooled - single,
      unit: 's',
      budget: BUDGET_SECONDS,
      note,
    },
  ];
};
