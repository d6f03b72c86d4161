import { createLimiter } from '../billing/limiter.ts';
import { LIMITS } from '../billing/settings.ts';
import { createRemoteImages } from '../catalogue/adapters/fetch-images.ts';
import { imageFieldIn } from '../catalogue/api/image.ts';
import { notTheModel, ownModelName, withOwnModel } from '../catalogue/api/model-field.ts';
import { VIDEO_MODELS } from '../catalogue/domain/models.ts';
import { adviseImages } from '../catalogue/domain/remote-image.ts';
import { NAMES } from '../catalogue/settings.ts';
import { findUsableFile, registeredFiles } from '../files/adapters/dynamo-files.ts';
import { s3Files } from '../files/adapters/s3-files.ts';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import type { Endpoint } from '../identity/api/declare-endpoint.ts';
import { type AccountRequest, client, endpoint, logger } from '../identity/authentication/endpoint.ts';
import { adviceHeaders, rateLimitHeaders } from '../platform/api/dialects.ts';
import { readIdempotencyKey } from '../platform/api/parameters.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import type { BodyFields } from '../platform/body/fields.ts';
import { ignoredHeaders } from '../platform/body/ignored-fields.ts';
import { readJsonContent } from '../platform/body/json-body.ts';
import type { Parsed } from '../platform/body/parse.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { isOneOf } from '../platform/domain/text.ts';
import {
  type Environment,
  FILES,
  KEYS,
  REMOTE_IMAGES,
  REQUEST_SIZE,
  RESERVATIONS,
  STEP_QUEUE,
  seconds,
  TASKS,
} from '../platform/runtime/environment.ts';
import { type HttpResponse, ok } from '../platform/runtime/http.ts';
import { namedVideoModels } from '../upstream/domain/capabilities.ts';
import { OFFER } from '../upstream/settings.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Media } from './adapters/s3-media.ts';
import { dynamoWorkerNews, sqsSteps } from './adapters/step-queue.ts';
import { readNativeVideoDraft } from './api/native-video.ts';
import { openRouterVideoObject } from './api/openrouter-video.ts';
import { openRouterFieldNames, readOpenRouterDraft } from './api/read-openrouter-video.ts';
import { videoDraftReader, videoFieldNames } from './api/read-video-request.ts';
import { pollHints } from './api/video-object.ts';
import type { Task, TaskForm } from './domain/task.ts';
import {
  adviseVideo,
  type FieldNames,
  resolveVideoRequest,
  type VideoDraft,
} from './domain/video-request.ts';
import { createTask } from './usecases/create-task.ts';
import { queueAdmission } from './usecases/watch-queue.ts';

export const CREATION = {
  ...KEYS,
  ...NAMES,
  ...TASKS,
  ...STEP_QUEUE,
  ...FILES,
  ...LIMITS,
  ...RESERVATIONS,
  ...REQUEST_SIZE,
  ...REMOTE_IMAGES,
  ...OFFER,
  MAX_QUEUE_SECONDS: seconds,
};
export type CreationRoute = {
  readonly environment: Environment<typeof CREATION>;
  readonly readFields: (request: AccountRequest) => BodyFields | Promise<BodyFields>;
  readonly readForm?: ((fields: BodyFields, request: AccountRequest) => TaskForm | undefined) | undefined;
  readonly readCallbackUrl?: (fields: BodyFields, form: TaskForm | undefined) => string | undefined;
  readonly readDraft: (
    fields: BodyFields,
    request: AccountRequest,
    form: TaskForm | undefined,
  ) => Parsed<VideoDraft>;
  /** Names fields in errors; absent if the format has only one name for each. */
  readonly fieldNames?: (fields: BodyFields, form: TaskForm | undefined) => FieldNames;
  readonly toResponseBody: (task: Task, request: AccountRequest) => unknown;
};

export const creationDependencies = (
  environment: Omit<CreationRoute['environment'], 'MODEL_NAMES' | 'SESSION_TABLE'>,
) => {
  const s3 = s3Client();
  return {
    tasks: dynamoTasks(client, environment.TASK_TABLE),
    queue: sqsSteps(environment.STEP_QUEUE_URL),
    media: s3Media(s3, environment.MEDIA_BUCKET),
    files: registeredFiles(
      findUsableFile(client, environment.FILE_TABLE, dynamoMembers(client, environment.MEMBER_TABLE)),
      s3Files(s3, environment.MEDIA_BUCKET),
    ),
    remoteImages: createRemoteImages(environment),
    logger,
    now: Date.now,
    limiter: createLimiter(client, environment),
    admission: queueAdmission({
      news: dynamoWorkerNews(client, environment.TASK_TABLE),
      upstreams: environment.UPSTREAMS,
      logger,
      now: Date.now,
      maxWaitMs: environment.MAX_QUEUE_SECONDS * 1000,
    }),
    upstreams: environment.UPSTREAMS,
    prices: environment.PRICES,
    requestMegabytes: environment.UPSTREAM_REQUEST_MEGABYTES,
  };
};

/** Shared by all routes that create a video task; they differ in their request and response bodies. */
export const videoCreation = (route: CreationRoute) => {
  const { environment } = route;
  const dependencies = creationDependencies(environment);
  return async (request: AccountRequest): Promise<HttpResponse> => {
    const idempotencyKey = readIdempotencyKey(request.header('idempotency-key'));
    const fields = await route.readFields(request);
    const form = route.readForm?.(fields, request);
    const { data: draft, ignored } = route.readDraft(fields, request, form);
    const fieldNames = route.fieldNames?.(fields, form);
    const videoRequest = resolveVideoRequest(draft, fieldNames);
    const { task, rateLimit } = await createTask(dependencies, request.caller, videoRequest, {
      idempotencyKey,
      fieldName: imageFieldIn(fields),
      fieldNames,
      form,
      callbackUrl: route.readCallbackUrl?.(fields, form),
    });
    const given = videoRequest.inputs.map(({ image }) => image);
    const headers = {
      ...pollHints(task),
      ...rateLimitHeaders(rateLimit),
      ...ignoredHeaders(ignored),
      ...adviceHeaders([adviseVideo(task.request), adviseImages(given)]),
    };
    // An earlier request with the same key may have had another form.
    return form === 'openrouter'
      ? { status: 202, headers, body: toOpenRouterObject(task, request) }
      : ok(route.toResponseBody(task, request), headers);
  };
};

const toOpenRouterObject = (task: Task, { publicUrl }: AccountRequest) =>
  openRouterVideoObject(task, { baseUrl: publicUrl, now: Date.now() });

type VideoRoute = Pick<CreationRoute, 'environment' | 'readForm' | 'readCallbackUrl' | 'toResponseBody'> & {
  readonly endpoint: Endpoint;
  readonly readBody: CreationRoute['readFields'];
};

/** The routes whose requests have the fields of the Videos API. */
export const videoHandler = ({ endpoint: declared, readBody, ...route }: VideoRoute) => {
  const { MODEL_NAMES, UPSTREAMS } = route.environment;
  const readDraft = videoDraftReader(namedVideoModels(UPSTREAMS));
  const create = videoCreation({
    ...route,
    readFields: readBody,
    readDraft: (sent, { noteAlias }, form) => {
      const fields = withOwnModel(MODEL_NAMES, 'video', sent, noteAlias);
      return form === undefined ? readDraft(fields) : readOpenRouterDraft(fields, readDraft);
    },
    fieldNames: (fields, form) =>
      form === undefined ? videoFieldNames(fields) : openRouterFieldNames(videoFieldNames(fields)),
  });
  return endpoint(declared, create);
};

type NativeRoute = Pick<CreationRoute, 'environment' | 'toResponseBody'> & {
  readonly readName: (request: AccountRequest) => string;
};

/** The action `predictLongRunning` of Google's API, for every path on which its clients call it. */
export const nativeVideoCreation = ({ readName, ...route }: NativeRoute) => {
  const { MODEL_NAMES, UPSTREAMS } = route.environment;
  return videoCreation({
    ...route,
    readFields: ({ header, body }) => readJsonContent(header('content-type'), body),
    readDraft: (fields, request) => {
      const model = ownModelName(MODEL_NAMES.aliases, readName(request), request.noteAlias);
      if (!isOneOf(VIDEO_MODELS, model))
        throw new DomainError('model_not_found', `model ${notTheModel(namedVideoModels(UPSTREAMS))}`);
      return readNativeVideoDraft(model, fields);
    },
  });
};
