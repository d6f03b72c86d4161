import { readEditImages, readGenerateImages } from '../images/api/images-request.ts';
import type { Arguments } from './api/tool-inputs.ts';

/** Reads the arguments like the body of a REST request, whose rules are then the same. */
export const readImages = ({ image_file_ids: ids, ...options }: Partial<Arguments<'generate_image'>>) => {
  const fields = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return ids === undefined
    ? readGenerateImages(fields)
    : readEditImages({ ...fields, image: ids.map((file_id) => ({ file_id })) });
};
