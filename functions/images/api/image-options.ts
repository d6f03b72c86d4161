import * as z from 'zod/mini';
import { refuse } from '../../platform/body/parse.ts';
import { forbidden, says } from '../../platform/body/schema.ts';
import { listed } from '../../platform/domain/errors.ts';

type Value = string | number | boolean;

/** A form sends all values as text. */
const withText = <T extends Value>(values: readonly T[]): (T | string)[] => [
  ...values,
  ...values.filter((value) => typeof value !== 'string').map(String),
];

/** A field of which only some values leave the result as the client expects it. */
const only = <const T extends Value>(values: readonly T[], reason: string) => {
  const message = `must be ${values.length === 1 ? '' : 'one of '}${listed(values.map(String))}: ${reason}`;
  return z.optional(z.literal(withText(values), says(message)).check(z.describe(`Because ${reason}`)));
};

export const refused = (reason: string) =>
  forbidden((context) => refuse(context, `is not supported: ${reason}`), `Must not be sent: ${reason}`);

const oneFormat = 'the generator makes JPEG images, and they are not converted.';

/** Fields of the Images API whose values would change the result, with those that can be kept. */
export const options = {
  n: only([1], 'one image is generated a request.'),
  quality: only(['auto', 'standard'], 'the model has one quality; image_size gives more pixels.'),
  response_format: only(['b64_json'], 'images are not stored, so they have no address; read b64_json.'),
  output_format: only(['jpeg'], oneFormat),
  output_compression: only([100], 'images are not compressed again.'),
  background: only(['auto', 'opaque'], 'the model makes no transparent images.'),
  moderation: only(['auto'], 'the filters cannot be changed.'),
  partial_images: only([0, 1, 2, 3], 'so many may come, and the image is always made before any could.'),
  stream: only([true, false], 'with true, the answer comes in server-sent events.'),
  style: refused('describe the style in the prompt.'),
  complexity: refused('the model decides it.'),
  input_fidelity: refused('say in the prompt what must stay as it is.'),
  negativePrompt: refused('say in the prompt what to leave out.'),
  mask: refused('say in the prompt which part to change.'),
  markup: refused('send the marked image as another image, and explain the marks in the prompt.'),
  frame_count: refused(oneFormat),
  frame_duration_ms: refused(oneFormat),
  svg: refused(oneFormat),
  width: refused('use size.'),
  height: refused('use size.'),
};
