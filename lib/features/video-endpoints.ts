import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';

/** The video API: a function an endpoint, each with just the rights that its use case needs. */
export const addVideoEndpoints = ({
  config,
  functions,
  api,
  keys,
  tasks,
  charges,
  accounts,
  usage,
  files,
  media,
  steps,
  webhooks,
  upstream,
}: Resources): void => {
  const key = keys.find();
  const creation = allOf(
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
  );
  const create = functions.endpoint('create-video', 'Accepts a video task', creation, {
    isGradual: true,
  });
  const generate = functions.endpoint(
    'create-generation',
    'Accepts a video task, generations style',
    creation,
  );
  const list = functions.endpoint('list-videos', 'Lists video tasks', allOf(key, tasks.list()));
  const get = functions.endpoint('get-video', 'Tells the state of a video task', allOf(key, tasks.find()));
  const remove = functions.endpoint(
    'delete-video',
    'Deletes a video',
    allOf(
      key,
      tasks.advance(),
      charges.record(),
      usage.add(),
      accounts.settle(),
      webhooks.send(),
      media.removeAll(),
    ),
  );
  const download = functions.endpoint(
    'download-video',
    'Redirects to a finished video',
    allOf(key, tasks.find(), media.serveVideos()),
  );
  const generation = functions.endpoint(
    'get-generation',
    'Tells the state and the address of a video',
    allOf(key, tasks.find(), settings({ PUBLIC_BASE_URL: publicAddress(config) })),
  );
  const notOffered = functions.endpoint('not-offered', 'Says what this service does not do', allOf(key));

  api.route('POST', '/v1/videos', create);
  api.route('GET', '/v1/videos', list);
  api.route('GET', '/v1/videos/{task_id}', get);
  api.route('DELETE', '/v1/videos/{task_id}', remove);
  api.route('GET', '/v1/videos/{task_id}/content', download);
  api.route('POST', '/v1/video/generations', generate);
  api.route('GET', '/v1/video/generations/{task_id}', generation);
  api.route('POST', '/v1/videos/{task_id}', notOffered);
  api.route('POST', '/v1/videos/{task_id}/remix', notOffered);
  api.route('POST', '/v1/videos/characters', notOffered);
  api.route('GET', '/v1/videos/characters/{character_id}', notOffered);
};
