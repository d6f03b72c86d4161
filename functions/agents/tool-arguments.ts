import { IMAGE_MODEL } from '../catalogue/domain/models.ts';
import { readEditImages, readGenerateImages } from '../images/api/read-images-request.ts';
import { namedVideoModels } from '../upstream/domain/capabilities.ts';
import type { Upstream } from '../upstream/domain/upstreams.ts';
import { videoDraftReader } from '../videos/api/read-video-request.ts';
import { type FieldNames, resolveVideoRequest, type VideoRequest } from '../videos/domain/video-request.ts';
import type { Arguments } from './api/tool-inputs.ts';
import { defaultToolModel } from './domain/tools.ts';

/** The names of fields in errors: those of the tool instead of those of the REST API. */
const FIELD_NAMES: Readonly<Partial<Record<Parameters<FieldNames>[0], string>>> = {
  aspectRatio: 'aspect_ratio',
  negativePrompt: 'negative_prompt',
  input_reference: 'first_frame_file_id',
  last_frame: 'last_frame_file_id',
  reference_images: 'reference_file_ids',
};
export const fieldNames: FieldNames = (field) => FIELD_NAMES[field] ?? field;

type VideoArguments = Omit<Arguments<'create_video'>, 'max_price' | 'idempotency_key'>;

/** Reads the arguments like the body of a REST request, whose rules are then the same. */
export const videoRequestReader = ({ UPSTREAMS }: { readonly UPSTREAMS: readonly Upstream[] }) => {
  const models = namedVideoModels(UPSTREAMS);
  const readDraft = videoDraftReader(models);
  const defaultModel = defaultToolModel(models);
  return (given: VideoArguments): VideoRequest => {
    const { first_frame_file_id, last_frame_file_id, reference_file_ids, ...options } = given;
    const { data } = readDraft({
      model: defaultModel,
      ...options,
      input_reference: first_frame_file_id,
      last_frame: last_frame_file_id,
      reference_images: reference_file_ids,
    });
    return resolveVideoRequest(data, fieldNames);
  };
};

/** The same for images. */
export const readImages = ({ image_file_ids: ids, ...given }: Partial<Arguments<'generate_image'>>) => {
  const options = { model: IMAGE_MODEL, ...given };
  const { data } =
    ids === undefined ? readGenerateImages(options) : readEditImages({ ...options, image: ids });
  return data;
};
