import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type * as CheckUpstreams from '../../functions/maintenance/check-upstreams.ts';
import type * as Probe from '../../functions/maintenance/probe.ts';
import type * as RemoveLeftovers from '../../functions/maintenance/remove-leftovers.ts';
import type * as Sweeper from '../../functions/maintenance/sweeper.ts';
import { NOT_OFFERED_ENDPOINTS } from '../../functions/openapi/api/endpoints.ts';
import type * as NotOffered from '../../functions/openapi/not-offered.ts';
import { ALTERNATIVE_VIDEO_ENDPOINTS } from '../../functions/videos/api/endpoints.ts';
import type * as CancelVideo from '../../functions/videos/cancel-video.ts';
import type * as CreateGeneration from '../../functions/videos/create-generation.ts';
import type * as CreateVideo from '../../functions/videos/create-video.ts';
import type * as DeadLetter from '../../functions/videos/dead-letter.ts';
import type * as DeleteVideo from '../../functions/videos/delete-video.ts';
import type * as DownloadVideo from '../../functions/videos/download-video.ts';
import type * as GetGeneration from '../../functions/videos/get-generation.ts';
import type * as GetOperation from '../../functions/videos/get-operation.ts';
import type * as GetVideo from '../../functions/videos/get-video.ts';
import type * as GetVideoInput from '../../functions/videos/get-video-input.ts';
import type * as ListVideos from '../../functions/videos/list-videos.ts';
import type * as PredictLongRunning from '../../functions/videos/predict-long-running.ts';
import type * as VideoWorker from '../../functions/videos/video-worker.ts';
import { allOf, ifIncluded, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';
import { acceptNames, nativeVideoPaths } from './models.ts';

/** The routes of the video API and the background functions that make the videos. */
export const addVideos = (scope: Construct, resources: Resources): void => {
  const { keys, config, media } = resources;
  const creation = allOf(keys.find(), creationGrants(resources), media.storeInputs(), acceptNames(config));
  addOpenAiRoutes(resources, creation);
  addNativeRoutes(resources, creation);
  addWorkers(resources);
  addSchedules(scope, resources);
};

/** Creates videos from files of the account; images in a request need more. */
export const creationGrants = ({ config, tasks, accounts, files, media, steps, upstreams }: Resources) =>
  allOf(
    tasks.create(),
    accounts.reserve(),
    steps.send(),
    files.use(),
    media.readFiles(),
    upstreams.requestSize(),
    upstreams.offer(),
    settings({
      MAX_QUEUE_SECONDS: String(config.maxQueueMinutes * 60),
      REMOTE_IMAGES: String(config.remoteImages),
    }),
  );

type CreationGrants = ReturnType<typeof creationGrants> &
  ReturnType<typeof acceptNames> &
  ReturnType<Resources['keys']['find']>;

/** Ends a task that is not completed: its charge, reservation, event and inputs. */
const endGrants = ({ tasks, charges, usage, accounts, webhooks, media }: Resources) =>
  allOf(
    tasks.advance(),
    charges.record(),
    usage.add(),
    accounts.settle(),
    ifIncluded(webhooks?.queue.send()),
    media.removeAll(),
  );

const addOpenAiRoutes = (resources: Resources, creation: CreationGrants): void => {
  const { address, serve, keys, tasks, files, accounts, webhooks, media } = resources;
  const key = keys.find();
  const callbacks = settings({ HAS_WEBHOOKS: String(webhooks !== undefined) });
  serve<typeof CreateVideo>('create-video', allOf(creation, address, callbacks), {
    isGradual: true,
  });
  serve<typeof CreateGeneration>('create-generation', creation);
  serve<typeof ListVideos>('list-videos', allOf(key, tasks.list()));
  serve<typeof GetVideo>('get-video', allOf(key, tasks.follow(), media.serveVideos(), address));
  serve<typeof CancelVideo>(
    'cancel-video',
    allOf(key, tasks.cancel(), accounts.settle(), ifIncluded(webhooks?.queue.send())),
  );
  serve<typeof DeleteVideo>('delete-video', allOf(key, endGrants(resources), resources.audit.add()));
  serve<typeof DownloadVideo>('download-video', allOf(key, tasks.find(), media.serveVideos()));
  serve<typeof GetVideoInput>('get-video-input', allOf(key, tasks.find(), files.use(), media.serveInputs()));
  serve<typeof GetGeneration>('get-generation', allOf(key, tasks.find(), address));
  serve<typeof NotOffered>(['not-offered', ...NOT_OFFERED_ENDPOINTS], allOf(key));
};

/** The video API in the format of Google's clients. */
const addNativeRoutes = (
  { config, address, serve, keys, tasks }: Resources,
  creation: CreationGrants,
): void => {
  const key = keys.find();
  serve<typeof PredictLongRunning>('predict-long-running', creation, {
    routes: nativeVideoPaths(config),
  });
  serve<typeof GetOperation>(
    [
      'get-operation',
      ALTERNATIVE_VIDEO_ENDPOINTS.getModelOperation,
      ALTERNATIVE_VIDEO_ENDPOINTS.getOperation,
    ],
    allOf(key, tasks.find(), address),
  );
};

const addWorkers = (resources: Resources): void => {
  const { config, functions, tasks, charges, accounts, usage, media, steps, webhooks, upstreams } = resources;
  const { workerTimeoutSeconds, workerConcurrency, prices } = config;
  const worker = functions.create<typeof VideoWorker>('video-worker', {
    description: 'Advances a video task by one step',
    timeoutSeconds: workerTimeoutSeconds,
    memoryMegabytes: 1024,
    mayLoop: true,
    isGradual: true,
    grants: allOf(
      tasks.work(),
      charges.record(),
      usage.add(),
      accounts.settle(),
      steps.send(),
      ifIncluded(webhooks?.queue.send()),
      media.work(),
      upstreams.call(),
      settings({
        PRICES: JSON.stringify(prices),
        WORKER_CONCURRENCY: String(workerConcurrency),
        FETCH_CLAIM_SECONDS: String(workerTimeoutSeconds),
      }),
      resources.videoRetention,
    ),
  });
  steps.addConsumer(worker.target, workerConcurrency);

  const deadLetter = functions.create<typeof DeadLetter>('dead-letter', {
    description: 'Fails the tasks whose messages could not be handled',
    timeoutSeconds: 30,
    memoryMegabytes: 512,
    grants: allOf(endGrants(resources), resources.upstreams.returnPlaces()),
  });
  steps.addDeadLetterConsumer(deadLetter);
};

/** The schedule repeats these functions anyway. By default, Lambda would retry a failed run twice and a throttled one for six hours. */
const NO_RETRIES = { retryAttempts: 0, maxEventAge: Duration.seconds(60) } as const;

/** Requests a page by the address that clients use, so that its name, certificate and firewall are checked as well. */
const createProbe = ({ config, functions, api }: Resources) => {
  const address = publicAddress(config);
  return functions.create<typeof Probe>('probe', {
    description: 'Requests a page from the public address',
    timeoutSeconds: 20,
    memoryMegabytes: 256,
    grants: settings({
      PROBE_ADDRESS: address === '' ? api.rest.urlForPath('/openapi.json') : `${address}/openapi.json`,
    }),
  });
};

const addSchedules = (scope: Construct, resources: Resources): void => {
  const { config, functions, tasks, accounts, files, media, steps, webhooks } = resources;
  const sweeper = functions.create<typeof Sweeper>('sweeper', {
    description:
      webhooks === undefined
        ? 'Re-sends the messages of overdue tasks'
        : 'Re-sends the messages of overdue tasks and webhook deliveries',
    timeoutSeconds: 55,
    memoryMegabytes: 512,
    grants: allOf(
      tasks.sweep(),
      accounts.sweep(),
      steps.sweep(),
      resources.upstreams.serve(),
      ifIncluded(webhooks?.queue.send()),
      ifIncluded(webhooks?.deliveries.sweep()),
      settings({
        SWEEP_GRACE_SECONDS: String(config.sweepGraceSeconds),
        MAX_QUEUE_SECONDS: String(config.maxQueueMinutes * 60),
        WORKER_CONCURRENCY: String(config.workerConcurrency),
      }),
    ),
  });

  const leftovers = functions.create<typeof RemoveLeftovers>('remove-leftovers', {
    description: 'Removes unused input images and expired files',
    timeoutSeconds: 300,
    memoryMegabytes: 512,
    grants: allOf(
      tasks.cleanUp(),
      media.sweepInputs(),
      files.expire(),
      media.expireFiles(),
      ifIncluded(resources.members?.find()),
    ),
  });
  const check = functions.create<typeof CheckUpstreams>('check-upstreams', {
    description: 'Checks the credentials and models of the upstreams',
    timeoutSeconds: 60,
    memoryMegabytes: 512,
    grants: resources.upstreams.probe(),
  });
  for (const [id, target, interval] of [
    ['EveryMinute', sweeper, Duration.minutes(1)],
    ['EveryDay', check, Duration.days(1)],
    ['EveryHour', leftovers, Duration.hours(1)],
    ...(config.probe ? [['ProbeEveryMinute', createProbe(resources), Duration.minutes(1)] as const] : []),
  ] as const) {
    target.configureAsyncInvoke(NO_RETRIES);
    const targets = [new LambdaFunction(target, { retryAttempts: 0 })];
    new Rule(scope, id, { schedule: Schedule.rate(interval), targets });
  }
};
