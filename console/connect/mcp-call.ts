import { ANY_VIDEO_MODEL, pixelSizes } from '../../functions/catalogue/domain/models.ts';
import type { Program } from '../parts/program.ts';

/** The arguments of a tool by the fields of the REST API; other fields have no place in a call. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  prompt: 'prompt',
  negativePrompt: 'negative_prompt',
  aspectRatio: 'aspect_ratio',
  imageSize: 'image_size',
  n: 'n',
};
const NUMBERS: readonly string[] = ['seconds', 'seed'];
const FILES: Readonly<Record<string, string>> = {
  input_reference: 'first_frame_file_id',
  last_frame: 'last_frame_file_id',
};
const FILE_LISTS: Readonly<Record<string, string>> = {
  reference_images: 'reference_file_ids',
  image: 'image_file_ids',
};

type Given = Record<string, unknown>;

const toArguments = (name: string, value: string | number, isVideo: boolean): Given => {
  const format = name === 'size' ? pixelSizes(ANY_VIDEO_MODEL).get(String(value)) : undefined;
  if (format !== undefined) return { resolution: format.resolution, aspect_ratio: format.aspectRatio };
  if (NUMBERS.includes(name)) return { [name]: Number(value) };
  if (name === 'model' && isVideo) return { model: value };
  return ARGUMENTS[name] === undefined ? {} : { [ARGUMENTS[name]]: value };
};

/** The message with which an agent makes the same video or image. Images are named by the ids of their files. */
export const writeCall = ({ path, fields, images }: Program): string => {
  const isVideo = path === '/videos';
  const given: Given = Object.assign({}, ...fields.map(([name, value]) => toArguments(name, value, isVideo)));
  for (const [field] of images) {
    const [one, list] = [FILES[field], FILE_LISTS[field]];
    if (one !== undefined) given[one] = 'FILE_ID';
    if (list !== undefined) given[list] = images.filter(([name]) => name === field).map(() => 'FILE_ID');
  }
  const params = { name: isVideo ? 'create_video' : 'generate_image', arguments: given };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2);
};
