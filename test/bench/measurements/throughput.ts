import { join } from 'node:path';
import { call, createVideo, MODEL, waitFor } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { runChild } from '../children.ts';
import { type Order, resultSchema } from '../load/client.ts';
import type { Figure } from '../measurement.ts';
import { HELD_BACK } from '../prompts.ts';
import { percentile } from '../statistics.ts';

const REQUESTS = 300;
const CONCURRENCY = 8;
/** Enough to start every process of the function. */
const WARM_UP = 40;

const CLIENT = join(import.meta.dirname, '..', 'load', 'client.ts');

const send = async (order: Omit<Order, 'requests' | 'concurrency'>, requests: number) => {
  const whole: Order = { ...order, requests, concurrency: CONCURRENCY };
  return resultSchema.parse(
    await runChild(CLIENT, { arguments: [JSON.stringify(whole)], environment: process.env }),
  );
};

const measure = async (
  name: string,
  order: Omit<Order, 'requests' | 'concurrency'>,
): Promise<readonly Figure[]> => {
  await send(order, WARM_UP);
  const { seconds, latencies } = await send(order, REQUESTS);
  const note = `${REQUESTS} requests, ${CONCURRENCY} at once, local gateway, client on the same machine`;
  return [
    { name: `${name}, requests per second`, measured: REQUESTS / seconds, unit: '/s', note },
    { name: `${name}, p50`, measured: percentile(latencies, 0.5), unit: 'ms', note },
    { name: `${name}, p99`, measured: percentile(latencies, 0.99), unit: 'ms', note },
  ];
};

export const throughput = async (): Promise<readonly Figure[]> => {
  await using service = await startService();
  const id = await createVideo(service, 'a');
  await waitFor(service, id);
  await call(service, 'GET', '/v1/models');
  const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
  const status = { url: `${service.baseUrl}/v1/videos/${id}`, method: 'GET', headers };
  const body = JSON.stringify({ model: MODEL, prompt: HELD_BACK, seconds: 4 });
  const create = { url: `${service.baseUrl}/v1/videos`, method: 'POST', headers, body };
  return [...(await measure('status', status)), ...(await measure('create, worker running', create))];
};
