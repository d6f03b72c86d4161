import { aliasesOf, DEFAULT_ALIASES } from '../../functions/platform/domain/model-aliases.ts';
import { VIDEO_MODELS } from '../../functions/platform/domain/models.ts';
import { allOf, settings } from '../lambda/grant.ts';
import { publicAddress } from '../resources/custom-domain.ts';
import type { Resources } from '../resources/resources.ts';
import { NATIVE_MODEL_ROUTE } from './model-endpoints.ts';

/** The characters that API Gateway accepts in a fixed part of a path. */
const PATH_PART = /^[\w.-]+$/;

/**
 * A path part is a parameter or fixed text, which may have a colon. With a fixed part for each name of a video
 * model this action has a function of its own; a parameter would give it the one that makes images.
 */
const createPaths = ({ modelAliases }: Resources['config']): string[] => {
  const aliases = { ...DEFAULT_ALIASES, ...modelAliases };
  return VIDEO_MODELS.flatMap((model) => [model, ...aliasesOf(aliases, model)])
    .filter((name) => PATH_PART.test(name))
    .map((name) => `/v1beta/models/${name}:predictLongRunning`);
};

/** The video API as Google's clients know it: the same tasks, in the native form. */
export const addNativeVideoEndpoints = (resources: Resources): void => {
  const { config, functions, api, keys, tasks, accounts, files, media, steps, upstream } = resources;
  const key = keys.find();
  const create = functions.endpoint(
    'predict-long-running',
    'Accepts a video task natively',
    allOf(
      key,
      tasks.create(),
      accounts.reserve(),
      steps.send(),
      media.storeInputs(),
      files.use(),
      media.readFiles(),
      upstream.requestSize(),
      settings({
        MODEL_ALIASES: JSON.stringify(config.modelAliases),
        MAX_QUEUE_SECONDS: String(config.maxQueueMinutes * 60),
      }),
    ),
  );
  const get = functions.endpoint(
    'get-operation',
    'Tells the state of a video task natively',
    allOf(key, tasks.find(), settings({ PUBLIC_BASE_URL: publicAddress(config) })),
  );
  const download = functions.endpoint(
    'download-file',
    'Redirects to a finished video natively',
    allOf(key, tasks.find(), media.serveVideos()),
  );

  for (const path of createPaths(config)) api.route('POST', path, create);
  api.route('GET', `${NATIVE_MODEL_ROUTE}/operations/{operation}`, get);
  api.route('GET', '/v1beta/operations/{operation}', get);
  api.route('GET', '/v1beta/files/{file+}', download);
};
