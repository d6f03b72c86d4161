import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoCharges } from '../accounts/adapters/dynamo-charges.ts';
import { createLimiter } from '../accounts/limiter.ts';
import { findRegisteredFile, registeredFiles } from '../files/adapters/dynamo-files.ts';
import { s3Files } from '../files/adapters/s3-files.ts';
import { openAiDialect, rateLimitHeaders } from '../platform/api/errors.ts';
import { logger, streamedEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient, s3Client } from '../platform/aws/aws-clients.ts';
import { collectIgnored, ignoredHeaders } from '../platform/body/ignored-fields.ts';
import { fileFieldIn } from '../platform/body/image.ts';
import type { BodyFields, RequestBody } from '../platform/body/parse.ts';
import { withOwnModel } from '../platform/body/schema.ts';
import type { Caller } from '../platform/domain/api-key.ts';
import type { DomainError } from '../platform/domain/errors.ts';
import {
  ALIASES,
  CHARGES,
  type Environment,
  type FILES,
  KEYS,
  LIMITS,
  type REQUEST_SIZE,
  UPSTREAM,
} from '../platform/runtime/environment.ts';
import { asDomainError, ok } from '../platform/runtime/http.ts';
import { upstreamImages } from '../upstream/adapters/upstream-images.ts';
import { createUpstreamClient, observedImages } from '../upstream/upstream.ts';
import type { ImagesRequest } from './api/images-request.ts';
import {
  EVENT_STREAM_HEADERS,
  type EventFamily,
  imageEvents,
  imagesResponse,
} from './api/images-response.ts';
import type { GeneratedImage, GivenImageRequest, ImageRequest } from './domain/image-request.ts';
import { type ImageService, startImage } from './usecases/generate-image.ts';
import { loadImages } from './usecases/load-images.ts';

/** Replaces the files that a request refers to with their bytes. */
export const imageLoader = ({
  FILE_TABLE,
  MEDIA_BUCKET,
  UPSTREAM_REQUEST_MEGABYTES,
}: Environment<typeof FILES & typeof REQUEST_SIZE>) => {
  const files = registeredFiles(
    findRegisteredFile(dynamoClient(), FILE_TABLE),
    s3Files(s3Client(), MEDIA_BUCKET),
  );
  return ({ account }: Caller, fields: BodyFields, request: GivenImageRequest): Promise<ImageRequest> =>
    loadImages(
      {
        files,
        now: Date.now,
        account,
        fieldName: fileFieldIn(fields),
        requestMegabytes: UPSTREAM_REQUEST_MEGABYTES,
      },
      request,
    );
};

/** The environment of every Lambda that generates images. */
export const IMAGES = { ...KEYS, ...ALIASES, ...CHARGES, ...UPSTREAM, ...LIMITS };
type ImageEnvironment = Environment<typeof IMAGES>;

/** Shared by all image endpoints. */
export const imageService = (client: DynamoDBClient, environment: ImageEnvironment): ImageService => ({
  generator: observedImages({ logger, now: Date.now }, upstreamImages(createUpstreamClient(environment))),
  charges: dynamoCharges(client, environment),
  limiter: createLimiter(client, environment),
  logger,
  now: Date.now,
  prices: environment.PRICES,
  // Less than the functions' timeout of 300 seconds, so that there is time to return an error.
  timeoutMs: 270_000,
  retryDelayMs: 1000,
});

/** Turns a failure into a value, because a stream has already sent its status. */
export const settleImage = (
  generated: Promise<GeneratedImage>,
  requestId: string,
): Promise<GeneratedImage | DomainError> =>
  generated.catch((error: unknown) => {
    const failure = asDomainError(error, logger);
    logger.info('stream ends with an error', { requestId, code: failure.code });
    return failure;
  });

type ImagesEndpointOptions = {
  readonly environment: ImageEnvironment;
  readonly family: EventFamily;
  readonly readFields: (
    contentType: string | undefined,
    body: RequestBody,
  ) => BodyFields | Promise<BodyFields>;
  readonly readRequest: (fields: BodyFields, caller: Caller) => ImagesRequest | Promise<ImagesRequest>;
};

/** A route of the Images API. */
export const imagesEndpoint = ({ environment, family, readFields, readRequest }: ImagesEndpointOptions) => {
  const client = dynamoClient();
  const service = imageService(client, environment);
  return streamedEndpoint(
    openAiDialect,
    client,
    environment.KEY_TABLE,
    async ({ caller, requestId, header, body }) => {
      const fields = withOwnModel(environment.MODEL_ALIASES, await readFields(header('content-type'), body));
      // Files are loaded later, but the fields are read at once.
      const { result, ignored } = collectIgnored(fields, () => readRequest(fields, caller));
      const { request, stream, background } = await result;
      const { image, rateLimit } = await startImage(service, { caller, requestId, request });
      const headers = { ...rateLimitHeaders(rateLimit), ...ignoredHeaders(ignored) };
      const time = Date.now();
      if (!stream) return ok(imagesResponse(time, await image), headers);
      const settled = settleImage(image, requestId);
      const chunks = imageEvents(settled, { family, time, background });
      return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...headers }, chunks, settled };
    },
  );
};
