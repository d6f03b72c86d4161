import { call, createVideo } from '../../support/http.ts';
import { type Service, startService } from '../../support/service.ts';
import type { Figure } from '../measurement.ts';

const SLOW_TASKS = 30;
const SLOW_START = 'a slow one [sample: slow start 30s]';
const LOOK_MILLISECONDS = 100;

/** How long a task of another account waits until the upstream has taken it. */
const waitOf = async (service: Service, key: string): Promise<number> => {
  const started = performance.now();
  const id = await createVideo(service, 'a quick one', key);
  for (;;) {
    const { body } = await call(service, 'GET', `/v1/videos/${id}`, { key });
    if (body.status !== 'queued') return (performance.now() - started) / 1000;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
};

/** What one account's slow submits cost another account. */
export const fairness = async (): Promise<readonly Figure[]> => {
  const service = await startService();
  try {
    const other = await service.issueKey('another');
    const alone = await waitOf(service, other);
    await Promise.all(Array.from({ length: SLOW_TASKS }, () => createVideo(service, SLOW_START)));
    const beside = await waitOf(service, other);
    const note = `${SLOW_TASKS} tasks of another account whose submits take 30 s; ${alone.toFixed(1)} s without them`;
    return [{ name: 'wait beside a slow account', measured: beside, unit: 's', note }];
  } finally {
    await service.close();
  }
};
