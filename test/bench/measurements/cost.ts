import type { Figure } from '../measurement.ts';
import { observedVideo } from '../observed-video.ts';
import { priceOf, type Quantities } from '../prices.ts';
import { quantitiesOf } from '../quantities.ts';
import type { Stage } from '../stage.ts';

const VIDEOS = 1000;
const RETENTION_MONTHS = 7 / 30;
const SWEEPS_A_MONTH = 60 * 24 * 30;
/** Lambda polls each of the two queues with five long polls of 20 seconds, message or not. */
const IDLE_POLLS_A_MONTH = 2 * 5 * 3 * SWEEPS_A_MONTH;
const GIGABYTE = 1024 ** 3;

const times = (quantities: Quantities, factor: number): Quantities =>
  Object.fromEntries(Object.entries(quantities).map(([name, quantity]) => [name, quantity * factor]));

const figure = (name: string, quantities: Quantities, note: string): Figure => {
  const { dollars, largest } = priceOf(quantities);
  return { name, measured: dollars, unit: 'USD', note: `${largest}; ${note}` };
};

/** What one video of a minute made happen, and what happens without any, at list prices. */
export const cost = async (stage: Stage): Promise<readonly Figure[]> => {
  const video = await observedVideo();
  const definitions = await Promise.all(
    stage.names.map((name) => stage.definition(name, 'http://127.0.0.1:9')),
  );
  const sizes = { definitions, itemBytes: video.itemBytes, taskTable: video.taskTable };
  const perVideo = {
    ...quantitiesOf(video, sizes),
    apiGatewayRequest: video.requests,
    s3GigabyteMonth: (video.fileBytes / GIGABYTE) * RETENTION_MONTHS,
  };
  const sweeps = times(quantitiesOf(video.sweep, sizes), SWEEPS_A_MONTH);
  const perMonth = {
    ...sweeps,
    scheduledEvent: SWEEPS_A_MONTH,
    sqsRequest: (sweeps.sqsRequest ?? 0) + IDLE_POLLS_A_MONTH,
    secretMonth: 1,
  };
  return [
    figure(
      `cost of ${VIDEOS} videos`,
      times(perVideo, VIDEOS),
      `${video.requests} requests a video, 60 s generation, file of ${(video.fileBytes / 1e6).toFixed(1)} MB kept 7 days; without the generator, downloads, traces and dashboards`,
    ),
    figure(
      'cost of a month without videos',
      perMonth,
      'sweeper and queue polling; without alarms, dashboards',
    ),
  ];
};
