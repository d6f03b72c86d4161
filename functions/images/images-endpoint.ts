import { openAiDialect } from '../platform/api/errors.ts';
import { rateLimitHeaders } from '../platform/api/rate-limit.ts';
import { streamedEndpoint } from '../platform/authentication/endpoint.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import type { BodyFields, RequestBody } from '../platform/body/fields.ts';
import { withOwnModel } from '../platform/body/model.ts';
import type { Caller } from '../platform/domain/api-key.ts';
import { ok } from '../platform/runtime/http.ts';
import { EVENT_STREAM_HEADERS } from './api/event-stream.ts';
import type { ImagesRequest } from './api/images-request.ts';
import { type EventFamily, imagesResponse } from './api/images-response.ts';
import { imageEvents } from './api/images-stream.ts';
import { type ImageEnvironment, imageService, outcomeOf } from './image-service.ts';
import { startImage } from './usecases/generate-image.ts';

type Options = {
  readonly environment: ImageEnvironment;
  readonly family: EventFamily;
  readonly readFields: (
    contentType: string | undefined,
    body: RequestBody,
  ) => BodyFields | Promise<BodyFields>;
  readonly readRequest: (fields: BodyFields, caller: Caller) => ImagesRequest | Promise<ImagesRequest>;
};

/** A route of the Images API. */
export const imagesEndpoint = ({ environment, family, readFields, readRequest }: Options) => {
  const client = dynamoClient();
  const service = imageService(client, environment);
  return streamedEndpoint(
    openAiDialect,
    client,
    environment.KEY_TABLE,
    async ({ caller, requestId, header, body }) => {
      const fields = withOwnModel(environment.MODEL_ALIASES, await readFields(header('content-type'), body));
      const { request, stream, background } = await readRequest(fields, caller);
      const { image, rateLimit } = await startImage(service, { caller, requestId, request });
      const headers = rateLimitHeaders(rateLimit);
      const time = Date.now();
      if (!stream) return ok(imagesResponse(time, await image), headers);
      const settled = outcomeOf(image, requestId);
      const chunks = imageEvents(settled, { family, time, background });
      return { status: 200, headers: { ...EVENT_STREAM_HEADERS, ...headers }, chunks, settled };
    },
  );
};
