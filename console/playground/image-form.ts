import {
  DEFAULT_IMAGE_SIZE,
  factorBetween,
  IMAGE_ASPECT_RATIOS,
  IMAGE_SIZES,
  type ImageAspectRatio,
  type ImageSize,
  nearest,
  ratioValue,
} from '../../functions/catalogue/domain/image-sizes.ts';
import { IMAGE_MODEL } from '../../functions/catalogue/domain/models.ts';
import type { FileObject } from '../../functions/files/api/file-object.ts';
import { type Durations, summarize } from '../parts/durations.ts';
import type { NamedImage, Program } from '../parts/program.ts';

export const IMAGE_DRAFT = 'image-draft';
export const MAX_INPUTS = 8;

export const IMAGE_COUNTS = [1, 2, 3, 4] as const;

/** An image of the account that the request names by its id. */
type KeptInput = { readonly id: string; readonly name: string };

export type ImageForm = {
  readonly prompt: string;
  readonly aspectRatio: ImageAspectRatio;
  readonly imageSize: ImageSize;
  /** How many images are generated. */
  readonly count: (typeof IMAGE_COUNTS)[number];
  readonly kept: readonly KeptInput[];
};

export type ImageFiles = { readonly inputs: readonly File[] };
export const NO_INPUTS: ImageFiles = { inputs: [] };

const readKept = (stored: unknown): readonly KeptInput[] =>
  (Array.isArray(stored) ? stored : []).flatMap((item) => {
    const { id, name } = Object(item);
    return typeof id === 'string' && typeof name === 'string' ? [{ id, name }] : [];
  });

export const readImageForm = (stored: Readonly<Record<string, unknown>>): ImageForm => ({
  prompt: typeof stored.prompt === 'string' ? stored.prompt : '',
  aspectRatio: IMAGE_ASPECT_RATIOS.find((ratio) => ratio === stored.aspectRatio) ?? '1:1',
  imageSize: IMAGE_SIZES.find((size) => size === stored.imageSize) ?? DEFAULT_IMAGE_SIZE,
  count: IMAGE_COUNTS.find((count) => count === stored.count) ?? 1,
  kept: readKept(stored.kept),
});

const SIZE_PIXELS: Readonly<Record<ImageSize, number>> = {
  '512': 512 ** 2,
  '1K': 1024 ** 2,
  '2K': 2048 ** 2,
  '4K': 4096 ** 2,
};

/** The form that creates an image of this size, such as `1376x768`, which the options only approximate. */
export const toImageForm = ({ prompt = '', size = '' }: Pick<FileObject, 'prompt' | 'size'>): ImageForm => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  if (!(width > 0 && height > 0)) return readImageForm({ prompt });
  return readImageForm({
    prompt,
    aspectRatio: nearest(IMAGE_ASPECT_RATIOS, (value) => factorBetween(ratioValue(value), width / height)),
    imageSize: nearest(IMAGE_SIZES, (value) => factorBetween(SIZE_PIXELS[value], width * height)),
  });
};

export const imageDurations = (
  files: readonly Pick<FileObject, 'size' | 'duration_ms'>[],
  imageSize: string,
): Durations | undefined =>
  summarize(
    files
      .filter((file) => toImageForm(file).imageSize === imageSize)
      .flatMap(({ duration_ms: taken }) =>
        taken === undefined ? [] : [{ whole: taken, generation: taken }],
      ),
  );

/** How a program writes the images of the response into files: `image.jpg`, or `image-1.jpg` and so on. */
const saveImages = (count: number, method: string): Pick<Program, 'curl' | 'node' | 'python'> => {
  const isOne = count === 1;
  const positions = Array.from({ length: count }, (_, index) => index).join(' ');
  const save = isOne
    ? `jq -r '.data[0].b64_json' image.json | base64 --decode > image.jpg`
    : `for i in ${positions}; do jq -r ".data[$i].b64_json" image.json | base64 --decode > image-$((i + 1)).jpg; done`;
  return {
    curl: {
      options: ['--fail-with-body -o image.json', `&& ${save}`, '|| { cat image.json >&2; false; }'],
      lines: [],
    },
    node: {
      name: 'const { data }',
      lines: isOne
        ? ["writeFileSync('image.jpg', Buffer.from(data[0].b64_json, 'base64'));"]
        : [
            'for (const [index, image] of data.entries())',
            `  writeFileSync(\`image-\${index + 1}.jpg\`, Buffer.from(image.b64_json, 'base64'));`,
          ],
    },
    python: {
      name: 'result',
      method,
      modules: ['base64', 'os'],
      lines: isOne
        ? [
            'with open("image.jpg", "wb") as file:',
            '    file.write(base64.b64decode(result.data[0].b64_json))',
          ]
        : [
            'for number, image in enumerate(result.data, 1):',
            '    with open(f"image-{number}.jpg", "wb") as file:',
            '        file.write(base64.b64decode(image.b64_json))',
          ],
    },
  };
};

export const imageProgram = (
  { prompt, aspectRatio, imageSize, count }: ImageForm,
  inputs: readonly NamedImage[],
): Program => {
  const method = inputs.length === 0 ? 'images.generate' : 'images.edit';
  return {
    path: inputs.length === 0 ? '/images/generations' : '/images/edits',
    method,
    fields: [
      ['model', IMAGE_MODEL],
      ['prompt', prompt],
      ['aspectRatio', aspectRatio],
      ['imageSize', imageSize],
      ...(count === 1 ? [] : [['n', count] as const]),
    ],
    images: inputs.map((image) => ['image', image] as const),
    lists: ['image'],
    isJson: inputs.length === 0,
    ...saveImages(count, method),
  };
};
