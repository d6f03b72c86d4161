import { FILE_ENDPOINTS } from '../../functions/files/api/endpoints.ts';
import { IMAGE_ENDPOINTS } from '../../functions/images/api/endpoints.ts';
import type * as ChatCompletions from '../../functions/images/chat-completions.ts';
import type * as EditImages from '../../functions/images/edit-images.ts';
import type * as GenerateContent from '../../functions/images/generate-content.ts';
import type * as GenerateImages from '../../functions/images/generate-images.ts';
import type * as GetImagePreview from '../../functions/images/get-image-preview.ts';
import { allOf, settings, withoutPermissions } from '../lambda/service-function.ts';
import { DAY_SECONDS } from '../resources/media.ts';
import type { Resources } from '../resources/resources.ts';
import { acceptNames } from './models.ts';

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
      REMOTE_IMAGES: String(config.remoteImages),
    }),
  );
};

/** Makes previews when they are first looked at. */
export const previewGrants = ({ files, media }: Resources) =>
  allOf(files.use(), media.readFiles(), media.keepPreviews());

/** The image API in five formats. Responses are streamed, because they are larger and slower than others. */
export const addImages = (resources: Resources): void => {
  const { config, serve, keys, files, media, features } = resources;
  const generation = allOf(keys.find(), generationGrants(resources), acceptNames(config));
  const withInputs = allOf(generation, files.use(), media.readFiles());
  serve<typeof GetImagePreview>(
    ['get-image-preview', FILE_ENDPOINTS.getFilePreview],
    allOf(keys.find(), previewGrants(resources)),
    { streamSeconds: PREVIEW_SECONDS, memoryMegabytes: 1536 },
  );
  // A request occupies its function until the image is finished.
  const options = { streamSeconds: IMAGE_SECONDS, memoryMegabytes: 1536, isGradual: true };
  const chores = settings({ CHAT_CHORES: config.chatChores });
  serve<typeof GenerateContent>('generate-content', allOf(withInputs, features, chores), options);
  serve<typeof ChatCompletions>(
    ['chat-completions', IMAGE_ENDPOINTS.createChatCompletion],
    allOf(withInputs, chores),
    options,
  );
  serve<typeof GenerateImages>('generate-images', generation, options);
  serve<typeof EditImages>('edit-images', withInputs, options);
};
