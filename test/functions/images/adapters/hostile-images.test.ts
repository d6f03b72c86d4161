import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeImage } from '../../../../functions/images/adapters/image-codecs.ts';
import { readImageHeader } from '../../../../functions/platform/domain/input-image.ts';
import { hostileImage } from '../../../support/images/hostile-images.ts';
import { longOr } from '../../../support/long-tests.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_117);
const IMAGES = longOr(1500, 100_000);
/** Decoding takes time for each pixel, and larger sizes are no different. */
const MOST_PIXELS = 200_000;

const toDraw = (random: () => number) => {
  const below = (end: number): number => Math.floor(random() * end);
  return {
    below,
    pick: <T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0],
  };
};

test(`no decoder finds another size than the header of ${IMAGES} hostile images says (FUZZ_SEED=${SEED})`, async (t) => {
  const draw = toDraw(seededRandom(SEED));
  const decoded = new Map<string, number>();
  let rejected = 0;
  for (let position = 0; position < IMAGES; position += 1) {
    const image = hostileImage(draw);
    const header = readImageHeader(image);
    if (header === undefined || header.width * header.height > MOST_PIXELS) continue;
    const { mimeType } = header;
    try {
      await decodeImage(image, mimeType);
      decoded.set(mimeType, (decoded.get(mimeType) ?? 0) + 1);
    } catch (error) {
      rejected += 1;
      const { message } = error instanceof Error ? error : { message: '' };
      assert.ok(
        !message.includes('its header says'),
        `image ${position}, ${image.toString('base64')}: ${message}`,
      );
    }
  }
  t.diagnostic(`decoded ${JSON.stringify(Object.fromEntries(decoded))}, rejected ${rejected}`);
  for (const type of ['image/jpeg', 'image/png', 'image/webp'])
    assert.ok((decoded.get(type) ?? 0) > IMAGES / 100, `only ${decoded.get(type)} of ${type} were decoded`);
});
