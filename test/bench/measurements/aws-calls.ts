import { setTimeout as sleep } from 'node:timers/promises';
import { requestsBy } from '../../support/aws-requests.ts';
import { call, createVideo, MODEL, waitFor } from '../../support/http.ts';
import { file, PNG } from '../../support/images.ts';
import type { Service } from '../../support/service.ts';
import { putFile } from '../../support/stored-files.ts';
import type { Figure } from '../measurement.ts';
import { observedVideo } from '../observed-video.ts';
import { HELD_BACK } from '../prompts.ts';
import { logicalName, type Stage } from '../stage.ts';

type Operation = {
  readonly name: string;
  readonly function: string;
  readonly budget?: number;
  /** Called with the first video to cache the key, then counted with the second. */
  readonly act: (service: Service, id: string) => Promise<unknown>;
};

const createWithImages = (service: Service): Promise<unknown> => {
  const form = new FormData();
  form.append('model', MODEL);
  form.append('prompt', HELD_BACK);
  for (const name of ['input_reference', 'last_frame']) form.append(name, file(PNG, 'a.png', 'image/png'));
  return call(service, 'POST', '/v1/videos', { body: form });
};

const createWithFiles = async (service: Service): Promise<unknown> => {
  const ids = await Promise.all([1, 2].map(() => putFile(service, 'tester', PNG)));
  const reference_images = ids.map((file_id) => ({ file_id }));
  return call(service, 'POST', '/v1/videos', { json: { model: MODEL, prompt: HELD_BACK, reference_images } });
};

const get =
  (path: (id: string) => string): Operation['act'] =>
  (service, id) =>
    call(service, 'GET', path(id));

const OPERATIONS: readonly Operation[] = [
  { name: 'create', function: 'create-video', budget: 2, act: (service) => createVideo(service, HELD_BACK) },
  { name: 'create, 2 images', function: 'create-video', act: createWithImages },
  { name: 'create, 2 files', function: 'create-video', budget: 6, act: createWithFiles },
  { name: 'status', function: 'get-video', budget: 1, act: get((id) => `/v1/videos/${id}`) },
  { name: 'generation', function: 'get-generation', act: get((id) => `/v1/video/generations/${id}`) },
  { name: 'content', function: 'download-video', budget: 1, act: get((id) => `/v1/videos/${id}/content`) },
  { name: 'list', function: 'list-videos', act: get(() => '/v1/videos') },
  {
    name: 'delete',
    function: 'delete-video',
    act: (service, id) => call(service, 'DELETE', `/v1/videos/${id}`),
  },
];

/** `dynamodb:GetItem 2, sqs:SendMessage` */
const tally = (actions: readonly string[]): string =>
  Object.entries(Object.groupBy(actions, (action) => action))
    .map(([action, all = []]) => (all.length === 1 ? action : `${action} ${all.length}`))
    .join(', ');

const MINUTE = 60_000;
const ROOM = 10_000;
const waitForRoomInMinute = async (): Promise<void> => {
  const left = MINUTE - (Date.now() % MINUTE);
  if (left < ROOM) await sleep(left);
};

const count = async (service: Service, operation: Operation, ids: readonly string[]): Promise<Figure> => {
  const [first = '', second = ''] = ids;
  const { cloud } = service;
  // A create reads the age of the queue once a minute: both calls must fall into one minute.
  await waitForRoomInMinute();
  await operation.act(service, first);
  await cloud.clearCalls();
  await operation.act(service, second);
  const principal = cloud.functionId(logicalName(operation.function));
  const requests = requestsBy(await cloud.calls(), principal);
  return {
    name: `AWS calls, ${operation.name}`,
    measured: requests.length,
    unit: '',
    ...(operation.budget === undefined ? {} : { budget: operation.budget }),
    note: tally(requests),
  };
};

/** Lambda polls the queue even without videos. */
const isPolling = (request: string): boolean => /^sqs:(Receive|Delete)Message/.test(request);

const wholeVideo = async (stage: Stage): Promise<Figure> => {
  const { calls, workerId } = await observedVideo(stage);
  const own = requestsBy(calls, workerId).filter((request) => !isPolling(request));
  return {
    name: 'AWS calls, worker, 60 s video',
    measured: own.length,
    unit: '',
    budget: 40,
    note: tally(own),
  };
};

export const awsCalls = async (stage: Stage): Promise<readonly Figure[]> => {
  await using service = await stage.start();
  const ids = await Promise.all(['a', 'b'].map((prompt) => createVideo(service, prompt)));
  for (const id of ids) await waitFor(service, id);
  const figures: Figure[] = [];
  for (const operation of OPERATIONS) figures.push(await count(service, operation, ids));
  return [...figures, await wholeVideo(stage)];
};
