import { IMAGE_MODEL } from '../../functions/platform/domain/models.ts';
import type { NamedImage } from '../code/languages.ts';
import type { Program } from '../code/program.ts';
import type { ImageForm } from './image-form.ts';

/** Makes what the form would make, by the Images API. */
export const imageProgram = (
  { prompt, aspectRatio, imageSize }: ImageForm,
  inputs: readonly NamedImage[],
): Program => ({
  path: inputs.length === 0 ? '/images/generations' : '/images/edits',
  method: inputs.length === 0 ? 'images.generate' : 'images.edit',
  fields: [
    ['model', IMAGE_MODEL],
    ['prompt', prompt],
    ['aspectRatio', aspectRatio],
    ['imageSize', imageSize],
  ],
  images: inputs.map((image) => ['image', image] as const),
  lists: ['image'],
  isJson: inputs.length === 0,
  curlEnd: [
    '--fail-with-body -o image.json',
    `&& jq -r '.data[0].b64_json' image.json | base64 --decode > image.jpg`,
  ],
  node: {
    name: 'const { data }',
    lines: ["writeFileSync('image.jpg', Buffer.from(data[0].b64_json, 'base64'));"],
  },
  python: {
    name: 'answer',
    modules: 'base64, os',
    lines: [
      'with open("image.jpg", "wb") as file:',
      '    file.write(base64.b64decode(answer["data"][0]["b64_json"]))',
    ],
  },
});
