import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';
import { NATIVE_MODEL_ROUTE } from './model-endpoints.ts';

/** Longer than any image takes; streamed answers may take 15 minutes. */
const IMAGE_SECONDS = 300;

/** Several formats of one capability; their answers are streamed, since they can be larger and later than others. */
export const addImageEndpoints = (resources: Resources): void => {
  const { config, functions, api, keys, charges, accounts, usage, files, media, upstream } = resources;
  const making = allOf(
    keys.find(),
    charges.record(),
    usage.add(),
    accounts.reserve(),
    upstream.call(),
    settings({ MODEL_ALIASES: JSON.stringify(config.modelAliases) }),
  );
  const size = { timeoutSeconds: IMAGE_SECONDS, memoryMegabytes: 1536, isGradual: true };
  const props = { ...size, grants: allOf(making, files.use(), media.readFiles(), upstream.requestSize()) };
  const native = functions.create('generate-content', {
    ...props,
    description: 'Generates an image, native format',
  });
  const chat = functions.create('chat-completions', {
    ...props,
    description: 'Generates an image, chat-completion format',
  });
  const generations = functions.create('generate-images', {
    ...size,
    grants: making,
    description: 'Generates an image, Images API format',
  });
  const edits = functions.create('edit-images', {
    ...props,
    description: 'Edits images, Images API format',
  });
  // A request holds its function until the image is made.
  const options = { streamSeconds: IMAGE_SECONDS, throttle: 'slow' } as const;
  api.route('POST', NATIVE_MODEL_ROUTE, native, options);
  api.route('POST', '/v1/chat/completions', chat, options);
  api.route('POST', '/v1/images/generations', generations, options);
  api.route('POST', '/v1/images/edits', edits, options);
};
