import type { OutgoingHttpHeaders } from 'node:http';
import type { GatewayRequest } from './request.ts';

const REMAPPED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'server',
  'www-authenticate',
]);

const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'trailer',
]);

type FunctionHeaders = {
  readonly headers: Readonly<Record<string, string | boolean>>;
  readonly multiValueHeaders: Readonly<Record<string, readonly (string | boolean)[]>>;
};

/** What the gateway makes of a function's headers; a name in both forms counts in the multiple one. */
export const responseHeaders = (
  { headers, multiValueHeaders }: FunctionHeaders,
  request: GatewayRequest,
): OutgoingHttpHeaders => {
  const merged = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of Object.entries(headers)) {
    merged.set(name.toLowerCase(), { name, values: [String(value)] });
  }
  for (const [name, values] of Object.entries(multiValueHeaders)) {
    merged.set(name.toLowerCase(), { name, values: values.map(String) });
  }
  const outgoing: OutgoingHttpHeaders = merged.has('content-type')
    ? {}
    : { 'Content-Type': 'application/json' };
  for (const [lower, { name, values }] of merged) {
    if (DROPPED_HEADERS.has(lower)) continue;
    const outgoingName = REMAPPED_HEADERS.has(lower) ? `x-amzn-Remapped-${name}` : name;
    outgoing[outgoingName] = values.length === 1 ? values[0] : values;
  }
  return { ...outgoing, ...gatewayHeaders(request) };
};

export const gatewayHeaders = ({ requestId, extendedRequestId }: GatewayRequest) => ({
  'x-amzn-RequestId': requestId,
  'x-amz-apigw-id': extendedRequestId,
});
