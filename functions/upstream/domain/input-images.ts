import { UnreadableImage } from '../../catalogue/domain/image-conversion.ts';
import type { InputImage } from '../../catalogue/domain/input-image.ts';
import { MAX_IMAGE_BYTES } from '../../catalogue/domain/models.ts';
import { formatMegabytes } from '../../platform/domain/text.ts';
import { declarationFor, type Upstream } from '../kinds/kinds.ts';
import { type LoadedInput, UnusableInput } from './video-generator.ts';

/** Converts to one of the types that every upstream accepts; rejects with UnreadableImage if it cannot. */
export type ConvertImage = (image: InputImage) => Promise<InputImage>;

const unusable = (reason: string, cause?: unknown): UnusableInput =>
  new UnusableInput(
    `The generator accepts JPEG and PNG images only, and a WebP image was not converted: ${reason}.`,
    { cause },
  );

const convertInput = async (input: LoadedInput, convert: ConvertImage): Promise<LoadedInput> => {
  try {
    const converted = { ...(await convert(input)), role: input.role };
    const { length } = converted.bytes;
    if (length <= MAX_IMAGE_BYTES) return converted;
    throw unusable(
      `as ${converted.mimeType} it would have ${formatMegabytes(length)}; at most ${formatMegabytes(MAX_IMAGE_BYTES)} are accepted`,
    );
  } catch (error) {
    throw error instanceof UnreadableImage ? unusable(error.message, error) : error;
  }
};

/** Returns a function that converts the images that an upstream does not take; each image is converted once. */
export const inputConverter = (convert: ConvertImage) => {
  const converted = new WeakMap<LoadedInput, LoadedInput>();
  return async (upstream: Upstream, inputs: readonly LoadedInput[]): Promise<readonly LoadedInput[]> => {
    const accepted = declarationFor(upstream).inputTypes(upstream);
    const prepared: LoadedInput[] = [];
    for (const input of inputs) {
      const isAccepted = accepted.includes(input.mimeType);
      const usable = isAccepted ? input : (converted.get(input) ?? (await convertInput(input, convert)));
      if (!isAccepted) converted.set(input, usable);
      prepared.push(usable);
    }
    return prepared;
  };
};
