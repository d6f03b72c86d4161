import { dynamoClient } from '../adapters/aws-clients.ts';
import type { BodyFields, RequestBody } from '../api/body/fields.ts';
import { withOwnModel } from '../api/body/model.ts';
import { openAiDialect } from '../api/errors.ts';
import { EVENT_STREAM_HEADERS } from '../api/images/event-stream.ts';
import type { ImagesRequest } from '../api/images/images-request.ts';
import { type EventFamily, imagesResponse } from '../api/images/images-response.ts';
import { imageEvents } from '../api/images/images-stream.ts';
import { rateLimitHeaders } from '../api/rate-limit.ts';
import type { Caller } from '../domain/api-key.ts';
import { ok } from '../runtime/http.ts';
import { startImage } from '../usecases/generate-image.ts';
import { streamedEndpoint } from './endpoint.ts';
import { type ImageEnvironment, imageService, outcomeOf } from './image-service.ts';

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
