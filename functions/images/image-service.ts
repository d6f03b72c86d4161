import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { dynamoCharges } from '../billing/adapters/dynamo-charges.ts';
import { createLimiter } from '../billing/limiter.ts';
import { createRemoteImages } from '../catalogue/adapters/fetch-images.ts';
import { imageFieldIn } from '../catalogue/api/image.ts';
import { withOwnModel } from '../catalogue/api/model-field.ts';
import type { ImageConverter } from '../catalogue/domain/image-conversion.ts';
import { adviseImages } from '../catalogue/domain/remote-image.ts';
import {
  findRegisteredFile,
  findUsableFile,
  outputWrite,
  registeredFiles,
} from '../files/adapters/dynamo-files.ts';
import { putFile, s3Files, signFileDownload } from '../files/adapters/s3-files.ts';
import type { FieldName } from '../files/domain/files.ts';
import { dynamoMembers } from '../identity/adapters/dynamo-members.ts';
import type { Endpoint } from '../identity/api/declare-endpoint.ts';
import {
  type AccountRequest,
  client,
  logger,
  streamedEndpoint,
} from '../identity/authentication/endpoint.ts';
import { adviceHeaders, rateLimitHeaders } from '../platform/api/dialects.ts';
import { readIdempotencyKey } from '../platform/api/parameters.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import type { RequestBody } from '../platform/body/body-text.ts';
import type { BodyFields } from '../platform/body/fields.ts';
import { ignoredHeaders } from '../platform/body/ignored-fields.ts';
import type { Parsed } from '../platform/body/parse.ts';
import { type DomainError, invalidField } from '../platform/domain/errors.ts';
import { asDomainError, ok } from '../platform/runtime/http.ts';
import { type GivenImageRequest, givenImages } from '../upstream/domain/image-request.ts';
import { createImageGenerators, createPool } from '../upstream/generators.ts';
import { dynamoClaims, resultWrite } from './adapters/dynamo-claims.ts';
import {
  EVENT_STREAM_HEADERS,
  type EventFamily,
  imageEvents,
  imageHeaders,
  imagesResponse,
  type ShownImage,
} from './api/images-response.ts';
import { type ImagesRequest, withImagesDefaults } from './api/read-images-request.ts';
import type { KeptImage, MadeImage } from './domain/kept-image.ts';
import type { ImageEnvironment } from './settings.ts';
import type { ImageService, StartedImages } from './usecases/generate-image.ts';
import { loadImages } from './usecases/load-images.ts';
import { type Claiming, collectImages, type ImagesOrder, orderImages } from './usecases/order-images.ts';

type GenerationEnvironment = Omit<ImageEnvironment, 'MODEL_NAMES' | 'SESSION_TABLE'>;

/** The parts of the transaction that turn stored bytes into a file, and complete a request with an `Idempotency-Key`. */
const keptWrites = (table: string, { file, result }: KeptImage): TransactWriteItem[] => [
  outputWrite(table, file),
  ...(result === undefined ? [] : [resultWrite(table, result.claim, result.index, result.value)]),
];

export const imageService = (environment: GenerationEnvironment, convert?: ImageConverter): ImageService => {
  const { FILE_TABLE, MEDIA_BUCKET, IMAGE_RETENTION_SECONDS: retention } = environment;
  const charges = dynamoCharges(client, environment);
  const s3 = s3Client();
  return {
    upstreams: environment.UPSTREAMS,
    generator: createImageGenerators(environment, { logger, now: Date.now }),
    pool: createPool(client, environment, { logger, now: Date.now }),
    charges: {
      record: (charge, reservation, kept) =>
        charges.record(charge, reservation, kept && keptWrites(FILE_TABLE, kept)),
    },
    limiter: createLimiter(client, environment),
    keeping:
      retention === undefined
        ? undefined
        : {
            store: { put: putFile(s3, MEDIA_BUCKET) },
            files: registeredFiles(findRegisteredFile(client, FILE_TABLE), s3Files(s3, MEDIA_BUCKET)),
            claims: dynamoClaims(client, FILE_TABLE),
            retentionMs: retention * 1000,
          },
    convert,
    logger,
    now: Date.now,
    prices: environment.PRICES,
    // Less than the functions' timeout of 300 seconds, so that there is time to return an error.
    timeoutMs: 270_000,
    retryDelayMs: 1000,
  };
};

type Ordered = Pick<ImagesOrder, 'request' | 'conversion'> & {
  readonly count?: number;
  /** Called before images are made, not before earlier ones are returned; rejects to make none. */
  readonly admit?: () => Promise<void>;
  /** Instead of the claim that follows from the header `Idempotency-Key`; `nothing` keeps neither claim nor image. */
  readonly keep?: Claiming | 'nothing';
  readonly fieldName?: FieldName;
};
type Orderer = Pick<AccountRequest, 'caller' | 'requestId' | 'header'>;
type OrderedImages = Awaited<ReturnType<typeof orderImages>> & { readonly advice: string | undefined };
type OrderImages = (request: Orderer, fields: BodyFields, ordered: Ordered) => Promise<OrderedImages>;

/** Starts the images of a request; shared by all image endpoints. */
export const imageOrders = (environment: GenerationEnvironment, convert?: ImageConverter): OrderImages => {
  const { FILE_TABLE, MEDIA_BUCKET, UPSTREAM_REQUEST_MEGABYTES: requestMegabytes } = environment;
  const service = imageService(environment, convert);
  const members = dynamoMembers(client, environment.MEMBER_TABLE);
  const files = registeredFiles(
    findUsableFile(client, FILE_TABLE, members),
    s3Files(s3Client(), MEDIA_BUCKET),
  );
  const remoteImages = createRemoteImages(environment);
  return async ({ caller, requestId, header }, fields, { admit, keep, fieldName, ...ordered }) => {
    const access = {
      files,
      remoteImages,
      now: Date.now,
      account: caller.account,
      fieldName: fieldName ?? imageFieldIn(fields),
      requestMegabytes,
    };
    const started = await orderImages(keep === 'nothing' ? { ...service, keeping: undefined } : service, {
      caller,
      requestId,
      idempotencyKey: readIdempotencyKey(header('idempotency-key')),
      claiming: keep === 'nothing' ? undefined : keep,
      load: async (request: GivenImageRequest) => {
        await admit?.();
        return loadImages(access, request);
      },
      count: 1,
      ...ordered,
    });
    return { ...started, advice: adviseImages(givenImages(ordered.request)) };
  };
};

export const startHeaders = ({ rateLimit, advice }: OrderedImages, ignored: readonly string[]) => ({
  ...rateLimitHeaders(rateLimit),
  ...adviceHeaders([advice]),
  ...ignoredHeaders(ignored),
});

/** For endpoints that make one image per request. */
export const onlyImage = ({ images: [image] }: StartedImages): Promise<MadeImage> => {
  if (image === undefined) throw new Error('a request without an image');
  return image;
};

/** Turns a failure into a value, because a stream has already sent its status. */
export const settleImage = <Image extends MadeImage>(
  generated: Promise<Image>,
  requestId: string,
): Promise<Image | DomainError> =>
  generated.catch((error: unknown) => {
    const failure = asDomainError(error, logger);
    logger.info('stream ends with an error', { requestId, code: failure.code });
    return failure;
  });

type ImagesEndpointOptions = {
  readonly endpoint: Endpoint;
  readonly environment: ImageEnvironment;
  readonly family: EventFamily;
  readonly readFields: (
    contentType: string | undefined,
    body: RequestBody,
  ) => BodyFields | Promise<BodyFields>;
  readonly readRequest: (fields: BodyFields) => Parsed<ImagesRequest>;
  readonly convert: ImageConverter;
};

/** Replaces images by URLs, if the client asked for them. */
export const imageLinks = ({
  MEDIA_BUCKET,
  IMAGE_RETENTION_SECONDS,
}: Pick<ImageEnvironment, 'MEDIA_BUCKET' | 'IMAGE_RETENTION_SECONDS'>) => {
  const sign = signFileDownload(s3Client(), MEDIA_BUCKET);
  const withUrl = async (image: MadeImage): Promise<ShownImage> => {
    if (image.file === undefined) throw new Error('an image without a file');
    return { ...image, url: await sign(image.file, 'GET') };
  };
  return (format: ImagesRequest['responseFormat']): ((image: MadeImage) => Promise<ShownImage>) => {
    if (format === 'b64_json') return async (image) => image;
    if (IMAGE_RETENTION_SECONDS === undefined)
      throw invalidField(
        'response_format',
        'response_format must be b64_json: images are not stored, so there is no URL; read b64_json.',
      );
    return withUrl;
  };
};

export const imagesEndpoint = ({
  endpoint,
  environment,
  family,
  readFields,
  readRequest,
  convert,
}: ImagesEndpointOptions) => {
  const order = imageOrders(environment, convert);
  const linksFor = imageLinks(environment);
  const hasUrls = environment.IMAGE_RETENTION_SECONDS !== undefined;
  return streamedEndpoint(endpoint, async (given) => {
    const { requestId, header, body, noteAlias } = given;
    const sent = withImagesDefaults(await readFields(header('content-type'), body), hasUrls);
    const fields = withOwnModel(environment.MODEL_NAMES, 'image', sent, noteAlias);
    const { data, ignored } = readRequest(fields);
    const { request, count, responseFormat, stream, background, conversion } = data;
    const show = linksFor(responseFormat);
    const started = await order(given, fields, { request, count, conversion });
    const headers = startHeaders(started, ignored);
    const time = Date.now();
    const shown = started.images.map(async (image) => show(await image));
    if (stream) {
      const settled = shown.map((image) => settleImage(image, requestId));
      const chunks = imageEvents(settled, { family, time, background });
      return {
        status: 200,
        headers: { ...EVENT_STREAM_HEADERS, ...headers },
        chunks,
        settled: Promise.all(settled),
      };
    }
    const { made, failures } = await collectImages(shown);
    const errors = failures.map(({ index, error }) => ({ index, error: asDomainError(error, logger) }));
    return ok(imagesResponse(time, { made, failures: errors }), { ...headers, ...imageHeaders(made) });
  });
};
