import * as z from 'zod';

/** Sends a request many times with the given concurrency, and reports the latencies. */
const orderSchema = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  requests: z.number(),
  concurrency: z.number(),
});
export type Order = z.infer<typeof orderSchema>;

export const resultSchema = z.object({ seconds: z.number(), latencies: z.array(z.number()) });

const sendOne = async ({ url, method, headers, body }: Order): Promise<number> => {
  const started = performance.now();
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${method} returned ${response.status}`);
  return performance.now() - started;
};

const send = async (order: Order): Promise<z.infer<typeof resultSchema>> => {
  const latencies: number[] = [];
  let left = order.requests;
  const started = performance.now();
  const sender = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      latencies.push(await sendOne(order));
    }
  };
  await Promise.all(Array.from({ length: order.concurrency }, sender));
  return { seconds: (performance.now() - started) / 1000, latencies };
};

if (import.meta.main) process.send?.(await send(orderSchema.parse(JSON.parse(process.argv[2] ?? ''))));
