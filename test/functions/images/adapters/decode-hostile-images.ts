/** In a thread of its own: decodes hostile images, and reports how many were decoded and which ones show a defect. */
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { readImageHeader } from '../../../../functions/catalogue/domain/input-image.ts';
import { decodeImage } from '../../../../functions/images/adapters/image-codecs.ts';
import { hostileImage } from '../../../support/images/hostile-images.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

/** Decoding takes time for each pixel, and larger sizes are no different. */
const MOST_PIXELS = 200_000;

const { seed, count } = z.object({ seed: z.number(), count: z.number() }).parse(workerData);
const random = seededRandom(seed);
const below = (end: number): number => Math.floor(random() * end);
const pick = <T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0];

const decoded: Record<string, number> = {};
const differences: string[] = [];
let rejected = 0;
for (let position = 0; position < count; position += 1) {
  const image = hostileImage({ below, pick });
  const header = readImageHeader(image);
  if (header === undefined || header.width * header.height > MOST_PIXELS) continue;
  try {
    await decodeImage(image, header.mimeType);
    decoded[header.mimeType] = (decoded[header.mimeType] ?? 0) + 1;
  } catch (error) {
    rejected += 1;
    if (error instanceof Error && error.message.includes('its header says'))
      differences.push(`seed ${seed}, image ${position}: ${error.message}`);
  }
}
parentPort?.postMessage({ decoded, differences, rejected });
