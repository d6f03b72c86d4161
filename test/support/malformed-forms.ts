import { seededRandom } from './seeded-random.ts';

const BOUNDARY = 'boundary';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const PARTS = [
  'Content-Disposition: form-data; name="prompt"\r\n\r\na fox',
  'Content-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes',
  'Content-Disposition: form-data; filename="a.png"\r\n\r\nbytes of a part without a name',
  'Content-Disposition: form-data\r\n\r\nneither name nor file name',
  'Content-Disposition: form-data; name=""; filename=""\r\n\r\n',
  'no header at all',
];

/** Forms of some parts in any order, cut off anywhere, some with bytes taken out; the same for the same seed. */
export const malformedForms = (seed: number): (() => Buffer) => {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  return () => {
    const parts = Array.from({ length: 1 + below(4) }, () => PARTS[below(PARTS.length)]);
    const whole = Buffer.from(
      `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`,
    );
    const cut = whole.subarray(0, below(whole.length) + 1);
    const at = below(cut.length);
    return below(3) < 2 ? cut : Buffer.concat([cut.subarray(0, at), cut.subarray(at + 3)]);
  };
};
