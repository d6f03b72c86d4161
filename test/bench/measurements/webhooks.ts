import { call, createVideo, waitFor } from '../../support/http.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { addEndpoint, listenForWebhooks } from '../../support/webhook-receiver.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';

const completedAt = async (service: Service, id: string): Promise<number> => {
  const { body } = await call(service, 'GET', `/v1/videos/${id}?include[]=timeline`);
  return Number(Object(body.timeline).completed_at) * 1000;
};

/** The time from the completed video to the receipt of its event. */
export const webhooks = async ({ size, start }: Stage): Promise<readonly Figure[]> => {
  const service = await start();
  const receiver = await listenForWebhooks(() => 200);
  try {
    await addEndpoint(service, receiver.url);
    const delays: number[] = [];
    for (let video = 0; video < size(21, 2); video += 1) {
      const id = await createVideo(service, 'a quiet harbour');
      await waitFor(service, id, ['completed']);
      await until(() => receiver.received.length > video);
      const { at = 0 } = receiver.received[video] ?? {};
      delays.push((at - (await completedAt(service, id))) / 1000);
    }
    // The first starts the process of the webhook worker.
    const warm = delays.slice(1);
    return [
      {
        name: 'completed to event received, p50',
        measured: percentile(warm, 0.5),
        unit: 's',
        budget: 1,
        note: `${warm.length} videos one after another; p90 ${percentile(warm, 0.9).toFixed(2)} s`,
      },
    ];
  } finally {
    await receiver.close();
    await service.close();
  }
};
