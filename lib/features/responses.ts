import type * as CreateResponse from '../../functions/responses/create-response.ts';
import type * as DeleteResponse from '../../functions/responses/delete-response.ts';
import type * as GetResponse from '../../functions/responses/get-response.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { generationGrants, IMAGE_SECONDS } from './images.ts';
import { acceptNames } from './models.ts';

/** The Responses API: images as calls of a tool, which are stored and can be continued. */
export const addResponses = (resources: Resources): void => {
  const { config, serve, keys, files, media, accounts, audit } = resources;
  const key = keys.find();
  serve<typeof CreateResponse>(
    'create-response',
    allOf(
      key,
      generationGrants(resources),
      acceptNames(config),
      files.use(),
      media.readFiles(),
      settings({ CHAT_CHORES: config.chatChores }),
    ),
    { streamSeconds: IMAGE_SECONDS, memoryMegabytes: 1536 },
  );
  serve<typeof GetResponse>('get-response', allOf(key, files.use(), media.readFiles()), {
    streamSeconds: IMAGE_SECONDS,
  });
  serve<typeof DeleteResponse>(
    'delete-response',
    allOf(key, files.removeResponses(), media.setFilesAside(), accounts.returnStorage(), audit.add()),
  );
};
