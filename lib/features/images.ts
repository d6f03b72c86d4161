import type * as ChatCompletions from '../../functions/images/chat-completions.ts';
import type * as EditImages from '../../functions/images/edit-images.ts';
import type * as GenerateContent from '../../functions/images/generate-content.ts';
import type * as GenerateImages from '../../functions/images/generate-images.ts';
import type * as GetImagePreview from '../../functions/images/get-image-preview.ts';
import { allOf, settings, withoutPermissions } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { acceptAliases, NATIVE_MODEL_ROUTE } from './models.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Longer than any image takes. */
export const IMAGE_SECONDS = 300;

/** The largest images take 3 seconds. */
const PREVIEW_SECONDS = 28;

export const generationGrants = (resources: Resources) => {
  const { config, charges, accounts, usage, files, media, upstreams } = resources;
  const stored = allOf(files.keepImages(), media.keepImages());
  return allOf(
    charges.record(),
    usage.add(),
    accounts.reserve(),
    upstreams.call(),
    upstreams.requestSize(),
    config.storeImages ? stored : withoutPermissions(stored),
    settings({
      IMAGE_RETENTION_SECONDS: String(config.storeImages ? config.videoRetentionDays * DAY_SECONDS : 0),
    }),
  );
};

/** Makes previews when they are first looked at. */
export const previewGrants = ({ files, media }: Resources) =>
  allOf(files.use(), media.readFiles(), media.keepPreviews());

/** The image API in five formats. Responses are streamed, because they are larger and slower than others. */
export const addImages = (resources: Resources): void => {
  const { config, functions, api, keys, files, media } = resources;
  const generation = allOf(keys.find(), generationGrants(resources), acceptAliases(config));
  const withInputs = allOf(generation, files.use(), media.readFiles());
  const size = { timeoutSeconds: IMAGE_SECONDS, memoryMegabytes: 1536, isGradual: true };
  const native = functions.create<typeof GenerateContent>('generate-content', {
    ...size,
    description: 'Generates images, native format and Imagen format',
    grants: withInputs,
  });
  const chat = functions.create<typeof ChatCompletions>('chat-completions', {
    ...size,
    description: 'Generates an image, chat completions format',
    grants: withInputs,
  });
  const generations = functions.create<typeof GenerateImages>('generate-images', {
    ...size,
    description: 'Generates an image, Images API format',
    grants: generation,
  });
  const edits = functions.create<typeof EditImages>('edit-images', {
    ...size,
    description: 'Edits images, Images API format',
    grants: withInputs,
  });

  const preview = functions.create<typeof GetImagePreview>('get-image-preview', {
    description: 'Returns a small version of an image',
    timeoutSeconds: PREVIEW_SECONDS,
    memoryMegabytes: 1536,
    grants: allOf(keys.find(), previewGrants(resources)),
  });
  api.route('GET', '/v1/files/{file_id}/preview', preview, {
    streamSeconds: PREVIEW_SECONDS,
    throttle: 'slow',
  });

  // A request occupies its function until the image is finished.
  const options = { streamSeconds: IMAGE_SECONDS, throttle: 'slow' } as const;
  api.route('POST', NATIVE_MODEL_ROUTE, native, options);
  api.route('POST', '/v1/chat/completions', chat, options);
  api.route('POST', '/v1/images/generations', generations, options);
  api.route('POST', '/v1/images/edits', edits, options);
};
