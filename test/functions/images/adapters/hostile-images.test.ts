import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { longOr } from '../../../support/long-tests.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_117);
const IMAGES = longOr(300, 100_000);
/** The PNG decoder cannot be created again in the same thread, and stops working after hundreds of failures. */
const IMAGES_PER_THREAD = 2000;

const reportSchema = z.object({
  decoded: z.record(z.string(), z.number()),
  differences: z.array(z.string()),
  rejected: z.number(),
});

test(`no decoder finds another size than the header of ${IMAGES} hostile images says (FUZZ_SEED=${SEED})`, async (t) => {
  const total = new Map([['rejected', 0]]);
  const add = (name: string, count: number): unknown => total.set(name, (total.get(name) ?? 0) + count);
  for (let begun = 0; begun < IMAGES; begun += IMAGES_PER_THREAD) {
    const workerData = { seed: SEED + begun, count: Math.min(IMAGES_PER_THREAD, IMAGES - begun) };
    const thread = new Worker(new URL('./decode-hostile-images.ts', import.meta.url), { workerData });
    const [report] = await once(thread, 'message');
    await thread.terminate();
    const { decoded, differences, rejected } = reportSchema.parse(report);
    assert.deepEqual(differences, []);
    add('rejected', rejected);
    for (const [type, count] of Object.entries(decoded)) add(type, count);
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(total)));
  for (const type of ['image/jpeg', 'image/png', 'image/webp'])
    assert.ok((total.get(type) ?? 0) > IMAGES / 20, `only ${total.get(type)} of ${type} were decoded`);
});
