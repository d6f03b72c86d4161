import { limiterFrom } from '../accounts/limiter.ts';
import { findRegisteredFile, registeredFiles } from '../files/adapters/registered-files.ts';
import { readIdempotencyKey } from '../platform/api/parameters.ts';
import { rateLimitHeaders } from '../platform/api/rate-limit.ts';
import { type endpoint, logger } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import type { BodyFields } from '../platform/body/fields.ts';
import { fileFieldIn } from '../platform/body/file-reference.ts';
import type { ENVIRONMENTS, readEnvironment } from '../platform/runtime/environment.ts';
import { type AccountRequest, ok } from '../platform/runtime/http.ts';
import { dynamoQueueAges } from './adapters/dynamo-queue-ages.ts';
import { dynamoTasks } from './adapters/dynamo-tasks.ts';
import { s3Client, s3Media } from './adapters/s3-media.ts';
import { sqsSteps } from './adapters/sqs-steps.ts';
import { pollHints } from './api/video-object.ts';
import type { Task } from './domain/task.ts';
import { resolveVideoRequest, type VideoDraft } from './domain/video-request.ts';
import { createVideo } from './usecases/create-video.ts';
import { queueAdmission } from './usecases/watch-queue.ts';

type Environment = ReturnType<typeof readEnvironment<(typeof ENVIRONMENTS)['create-video']>>;

type Form = {
  readonly environment: Environment;
  /** Of the dialect that the form is in. */
  readonly endpoint: typeof endpoint;
  readonly readFields: (request: AccountRequest) => BodyFields | Promise<BodyFields>;
  readonly readDraft: (fields: BodyFields, request: AccountRequest) => VideoDraft;
  readonly encode: (task: Task) => unknown;
};

/** An endpoint that accepts a video task; such endpoints differ in what they read and how they tell. */
export const creationEndpoint = ({
  environment,
  endpoint: endpointOf,
  readFields,
  readDraft,
  encode,
}: Form) => {
  const client = dynamoClient();
  const media = s3Media(s3Client(), environment.MEDIA_BUCKET);
  const dependencies = {
    tasks: dynamoTasks(client, environment.TASK_TABLE),
    queue: sqsSteps(environment.STEP_QUEUE_URL),
    media: { ...media, ...registeredFiles(findRegisteredFile(client, environment.FILE_TABLE), media) },
    logger,
    now: Date.now,
    limiter: limiterFrom(client, environment),
    admission: queueAdmission({
      ages: dynamoQueueAges(client, environment.TASK_TABLE),
      logger,
      now: Date.now,
      maxWaitMs: environment.MAX_QUEUE_SECONDS * 1000,
    }),
    prices: environment.PRICES,
    requestMegabytes: environment.UPSTREAM_REQUEST_MEGABYTES,
  };
  return endpointOf(client, environment.KEY_TABLE, async (request) => {
    const idempotencyKey = readIdempotencyKey(request.header('idempotency-key'));
    const fields = await readFields(request);
    const wanted = resolveVideoRequest(readDraft(fields, request));
    const { task, rateLimit } = await createVideo(
      dependencies,
      request.caller,
      wanted,
      idempotencyKey,
      fileFieldIn(fields),
    );
    return ok(encode(task), { ...pollHints(task), ...rateLimitHeaders(rateLimit) });
  });
};
