import { type ServiceAccess, send } from '../../../support/http.ts';
import { isNode, nodeAt, strictSchemaErrors } from './document.ts';

export type Request = {
  readonly method: string;
  /** The path in the document. */
  readonly path: string;
  /** The requested path, if it differs. */
  readonly at?: string | undefined;
  readonly headers?: Record<string, string> | undefined;
  readonly json?: unknown;
  readonly body?: FormData | Blob | string | undefined;
};
export type Exchange = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Differences between the response and the document. */
  readonly faults: readonly string[];
};

const headerFaults = (place: readonly string[], headers: Headers): string[] =>
  Object.keys(nodeAt(...place, 'headers')).flatMap((name) => {
    const header = nodeAt(...place, 'headers', name);
    const value = headers.get(name);
    if (value === null) return header.required === true ? [`no ${name}`] : [];
    const component = Object.entries(nodeAt('components', 'headers')).find(([, known]) => known === header);
    return strictSchemaErrors(['components', 'headers', component?.[0] ?? '', 'schema'], value);
  });

/** Headers that HTTP, API Gateway and CORS add to every response. */
const TRANSPORT = [
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding', 'vary'],
  ...['access-control-allow-origin', 'access-control-expose-headers'],
];
const isTransport = (name: string): boolean => TRANSPORT.includes(name) || name.startsWith('x-amz');

const unnamedHeaders = (place: readonly string[], headers: Headers): string[] => {
  const named = Object.keys(nodeAt(...place, 'headers')).map((name) => name.toLowerCase());
  return Array.from(headers.keys())
    .filter((name) => !named.includes(name) && !isTransport(name))
    .map((name) => `the header ${name} is not described`);
};

const bodyFaults = (place: readonly string[], mediaType: string, text: string): string[] => {
  const content = nodeAt(...place).content;
  if (!isNode(content)) return text === '' ? [] : ['a body'];
  if (!isNode(content[mediaType])) return [`${mediaType} is not described`];
  const value = mediaType === 'application/json' ? JSON.parse(text) : text;
  return strictSchemaErrors([...place, 'content', mediaType, 'schema'], value);
};

/** Sends a request and compares the response with the document. */
export const exchange = async (
  service: ServiceAccess,
  { method, path, at = path, headers, json, body }: Request,
): Promise<Exchange> => {
  const isNative = path.startsWith('/v1beta');
  const response = await send(service, method, at, {
    ...(isNative && { key: '' }),
    headers: { ...(isNative && { 'x-vendor-api-key': service.apiKey }), ...headers },
    json,
    body,
  });
  const text = await response.text();
  const place = ['paths', path, method.toLowerCase(), 'responses', String(response.status)];
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    faults: [
      ...headerFaults(place, response.headers),
      ...unnamedHeaders(place, response.headers),
      ...bodyFaults(place, mediaType, text),
    ],
  };
};
