import { readFile } from 'node:fs/promises';
import { runsAMonth, standingQuantities } from '../idle-month.ts';
import type { Figure } from '../measurement.ts';
import { observedVideo } from '../observed-video.ts';
import { addQuantities, type Quantities, toPrice } from '../prices.ts';
import { toQuantities } from '../quantities.ts';
import type { Stage } from '../stage.ts';

const VIDEOS = 1000;
const RETENTION_MONTHS = 7 / 30;
const LOG_MONTHS = 1;
const GIGABYTE = 1024 ** 3;

const BUDGETS = { videos: 0.2, idleMonth: 10 };

const times = (quantities: Quantities, factor: number): Quantities =>
  Object.fromEntries(Object.entries(quantities).map(([name, quantity]) => [name, quantity * factor]));

const figure = (name: string, budget: number, quantities: Quantities, note: string): Figure => {
  const { dollars, largest } = toPrice(quantities);
  return { name, measured: dollars, unit: 'USD', budget, note: `${largest}; ${note}` };
};

/** The cost of a one-minute video, and of an idle stack, at list prices. */
export const cost = async (stage: Stage): Promise<readonly Figure[]> => {
  const video = await observedVideo();
  const definitions = await Promise.all(
    stage.names.map((name) => stage.definition(name, 'http://127.0.0.1:9')),
  );
  const sizes = { definitions, itemBytes: video.itemBytes, taskTable: video.taskTable };
  const perVideo = {
    ...toQuantities(video, sizes),
    apiGatewayRequest: video.requests,
    s3GigabyteMonth: (video.fileBytes / GIGABYTE) * RETENTION_MONTHS,
  };
  const scheduled = addQuantities(
    times(toQuantities(video.sweep, sizes), runsAMonth('rate(1 minute)')),
    times(toQuantities(video.cleanUp, sizes), runsAMonth('rate(1 hour)')),
  );
  const perMonth = addQuantities(
    standingQuantities(JSON.parse(await readFile(stage.templateFile, 'utf8'))),
    scheduled,
    {
      customMetric: video.sweep.customMetrics + video.cleanUp.customMetrics,
      logGigabyteMonth: (scheduled.logGigabyte ?? 0) * LOG_MONTHS,
    },
  );
  return [
    figure(
      `cost of ${VIDEOS} videos`,
      BUDGETS.videos,
      times(perVideo, VIDEOS),
      `${video.requests} requests a video, 60 s generation, file of ${(video.fileBytes / 1e6).toFixed(1)} MB kept 7 days; without the generator, downloads, traces and what is paid by the month`,
    ),
    figure(
      'cost of a month without videos',
      BUDGETS.idleMonth,
      perMonth,
      'alarms, dashboard, keys and secrets of the template, the runs of its schedules, the polling of its queues; without stored data',
    ),
  ];
};
