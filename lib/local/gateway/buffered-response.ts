import type { OutgoingHttpHeaders } from 'node:http';
import * as z from 'zod';
import type { ApiDefinition } from './api-definition.ts';
import { isBinary } from './proxy-event.ts';
import { type GatewayRequest, headerValue } from './request.ts';
import { responseHeaders } from './response-headers.ts';

const headerText = z.union([z.string(), z.boolean()]);
const statusCode = z.union([z.int(), z.string().regex(/^\d{3}$/)]).transform(Number);

/** Nothing is mandatory, but any other field makes the response malformed, as on AWS. */
const proxyResponseSchema = z.strictObject({
  statusCode: statusCode.pipe(z.int().min(100).max(599)).default(200),
  headers: z.record(z.string(), headerText).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerText)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

type HttpAnswer = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
};

/** The HTTP answer that a function's payload stands for; undefined if it is malformed. */
export const bufferedResponse = (
  api: ApiDefinition,
  request: GatewayRequest,
  payload: string,
): HttpAnswer | undefined => {
  const parsed = proxyResponseSchema.safeParse(parseJson(payload));
  if (!parsed.success) return undefined;
  const { statusCode: status, headers, multiValueHeaders, body, isBase64Encoded } = parsed.data;
  // Base64 is taken off only for a client whose first accepted type is a declared binary one.
  const [firstAccepted] = (headerValue(request, 'accept') ?? '').split(',');
  const decodes = isBase64Encoded === true && isBinary(api, firstAccepted);
  const bytes = Buffer.from(body ?? '', decodes ? 'base64' : 'utf8');
  const own = responseHeaders(
    { headers: headers ?? {}, multiValueHeaders: multiValueHeaders ?? {} },
    request,
  );
  return { status, headers: { ...own, 'Content-Length': bytes.length }, body: bytes };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
