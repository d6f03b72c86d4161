import { type ImageAction, splitModelAction, unknownAction } from '../catalogue/api/model-actions.ts';
import {
  type AccountRequest,
  client,
  partOfRoute,
  streamedRoute,
} from '../identity/authentication/endpoint.ts';
import type { nativeImages } from '../images/native-images.ts';
import { CHAT_IMAGES } from '../images/settings.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { ok } from '../platform/runtime/http.ts';
import { dynamoTasks } from '../videos/adapters/dynamo-tasks.ts';
import { s3Links, videoReader } from '../videos/adapters/s3-media.ts';
import { operationName } from '../videos/api/native-video.ts';
import type { Task } from '../videos/domain/task.ts';
import { downloadableFile, findOwned } from '../videos/usecases/read-videos.ts';
import { CREATION, nativeVideoCreation } from '../videos/video-creation.ts';
import { isVertexRoute, MODEL_ACTION_ENDPOINTS } from './api/endpoints.ts';
import {
  MAX_INLINE_VIDEO_BYTES,
  readOperationTaskId,
  type VertexVideo,
  vertexAddress,
  vertexOperation,
  vertexOperationName,
} from './api/vertex-operation.ts';

export const ENVIRONMENT = { ...CHAT_IMAGES, ...CREATION };
const environment = readEnvironment(ENVIRONMENT);
const s3 = s3Client();
const links = s3Links(s3, environment.MEDIA_BUCKET);
const readVideo = videoReader(s3, environment.MEDIA_BUCKET);
const tasks = dynamoTasks(client, environment.TASK_TABLE);

type Parameters = Readonly<Record<string, string>>;

const splitPath = ({ modelAction = '' }: Parameters) =>
  splitModelAction(modelAction) ?? { model: '', action: '' };

const findVideo = async (task: Task): Promise<VertexVideo | undefined> => {
  if (task.status !== 'completed') return undefined;
  const { key, bytes } = downloadableFile(task, Date.now());
  const mimeType = 'video/mp4';
  if (bytes <= MAX_INLINE_VIDEO_BYTES) return { bytesBase64Encoded: await readVideo(key), mimeType };
  // Over plain HTTP, Google's SDK sends back the whole address, in which only the file name has the id.
  const signed = await links.sign(key, `${task.id}.mp4`, 'GET');
  return { gcsUri: vertexAddress(signed, task), mimeType };
};

let images: Promise<ReturnType<typeof nativeImages>> | undefined;

/** Loaded with the first image, because the clients of the upstreams are a large part of the code. */
const loadImages = () => {
  images ??= import('../images/native-images.ts').then((module) => module.nativeImages(environment));
  return images;
};

const makeImage = (action: ImageAction) => async (request: AccountRequest) => {
  const generate = await loadImages();
  return generate(splitPath(request.path).model, action, request);
};

/** The operation has the form of the path: Vertex AI names the project. */
const createVideo = nativeVideoCreation({
  environment,
  readName: ({ path }) => splitPath(path).model,
  toResponseBody: (task, { route, path }) => ({
    name: isVertexRoute(route) ? vertexOperationName(path, task) : operationName(task),
    done: false,
  }),
});

const fetchOperation = async ({ caller, route, path, header, body }: AccountRequest) => {
  if (!isVertexRoute(route)) throw unknownAction();
  const id = readOperationTaskId(readJsonContent(header('content-type'), body));
  const task = await findOwned(tasks, caller.account, id, 'operationName');
  return ok(vertexOperation(vertexOperationName(path, task), task, await findVideo(task)));
};

const { generateContent, streamGenerateContent, predict, predictLongRunning, fetchPredictOperation } =
  MODEL_ACTION_ENDPOINTS;
const ACTIONS = new Map([
  ['generateContent', partOfRoute(generateContent, makeImage('generateContent'))],
  ['streamGenerateContent', partOfRoute(streamGenerateContent, makeImage('streamGenerateContent'))],
  ['predict', partOfRoute(predict, makeImage('predict'))],
  ['predictLongRunning', partOfRoute(predictLongRunning, createVideo)],
  ['fetchPredictOperation', partOfRoute(fetchPredictOperation, fetchOperation)],
]);
const unknown = partOfRoute(generateContent, async () => {
  throw unknownAction();
});

/** Each action has its own role and its own form, but API Gateway cannot route by what follows a parameter. */
export const handler = streamedRoute(
  ({ pathParameters }) =>
    ACTIONS.get(splitPath({ modelAction: pathParameters?.modelAction ?? '' }).action) ?? unknown,
);
