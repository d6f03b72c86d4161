import { MODEL_ACTION_ENDPOINTS, PUBLISHER_MODEL_ENDPOINTS } from '../../functions/google/api/endpoints.ts';
import type * as PublisherModels from '../../functions/google/publisher-models.ts';
import type * as RunModelAction from '../../functions/google/run-model-action.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { generationGrants, IMAGE_SECONDS } from './images.ts';
import { acceptNames } from './models.ts';
import { creationGrants } from './videos.ts';

/** The paths of Google's newer clients: actions below `/v1`, and those of Vertex AI. */
export const addGooglePaths = (resources: Resources): void => {
  const { config, serve, keys, tasks, media, upstreams } = resources;
  const names = allOf(keys.find(), acceptNames(config));
  serve<typeof RunModelAction>(
    ['run-model-action', MODEL_ACTION_ENDPOINTS.generateContent],
    allOf(
      names,
      generationGrants(resources),
      creationGrants(resources),
      tasks.find(),
      media.storeInputs(),
      media.readVideos(),
      settings({ CHAT_CHORES: config.chatChores }),
    ),
    { streamSeconds: IMAGE_SECONDS, memoryMegabytes: 1536 },
  );
  const { listPublisherModels, getPublisherModel } = PUBLISHER_MODEL_ENDPOINTS;
  serve<typeof PublisherModels>(
    ['publisher-models', listPublisherModels, getPublisherModel],
    allOf(names, upstreams.offer()),
  );
};
