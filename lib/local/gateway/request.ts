import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiDefinition } from './api-definition.ts';
import type { RouteMatch } from './routes.ts';

const BODY_LIMIT = 10 * 1024 * 1024;
/** The connection of a rejected request is closed after this many bytes. */
const DISCARD_LIMIT = 64 * 1024 * 1024;

export type GatewayRequest = {
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly receivedAt: Date;
  readonly method: string;
  /** Includes the stage, without the query, percent-encoded. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  /** In the order and case in which the client sent them. */
  readonly headerList: readonly (readonly [name: string, value: string])[];
  readonly sourceIp: string;
  readonly protocol: string;
};

export const readRequest = (message: IncomingMessage): GatewayRequest => {
  const [rawPath = '/', ...query] = (message.url ?? '/').replace(/^https?:\/\/[^/?]*/, '').split('?');
  const { rawHeaders } = message;
  const headerList = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return {
    requestId: randomUUID(),
    extendedRequestId: `${randomBytes(11).toString('base64url')}=`,
    receivedAt: new Date(),
    method: message.method ?? 'GET',
    rawPath,
    query: new URLSearchParams(query.join('?')),
    headerList,
    sourceIp: message.socket.remoteAddress ?? '127.0.0.1',
    protocol: `HTTP/${message.httpVersion}`,
  };
};

export const headerValue = (
  { headerList }: Pick<GatewayRequest, 'headerList'>,
  name: string,
): string | undefined => headerList.findLast(([candidate]) => candidate.toLowerCase() === name)?.[1];

/** Resolves to `too-large` as soon as the limit is exceeded. */
export const readBody = async (message: IncomingMessage): Promise<Buffer | 'too-large'> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | 'too-large'>();
  const chunks: Buffer[] = [];
  let received = 0;
  if (Number(message.headers['content-length'] ?? 0) > BODY_LIMIT) resolve('too-large');
  message.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received <= BODY_LIMIT) chunks.push(chunk);
    else resolve('too-large');
    if (received > DISCARD_LIMIT) message.destroy();
  });
  message.on('end', () => resolve(Buffer.concat(chunks)));
  message.on('error', reject);
  message.on('close', () => reject(new Error('The client disconnected before its request was complete.')));
  return promise;
};

/** Headers that the gateway does not pass to functions. */
const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'keep-alive',
  'max-forwards',
  'proxy-authenticate',
  'proxy-connection',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
]);

const NO_IDENTITY = {
  accessKey: null,
  accountId: null,
  caller: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

/** The Lambda proxy event of a REST API, version 1.0. */
export const proxyEvent = (api: ApiDefinition, request: GatewayRequest, match: RouteMatch, body: Buffer) => {
  const headers = group(forwardedHeaders(request), (name) => name.toLowerCase());
  const query = group([...request.query], (name) => name);
  const isBase64Encoded = body.length > 0 && isBinary(api, headerValue(request, 'content-type'));
  return {
    resource: match.route.resourcePath,
    path: pathInStage(api, request),
    httpMethod: request.method,
    headers: lastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: request.query.size > 0 ? lastValues(query) : null,
    multiValueQueryStringParameters: request.query.size > 0 ? query : null,
    pathParameters: match.pathParameters,
    stageVariables: null,
    requestContext: requestContext(api, request, match),
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
};

/** At a custom domain, the path does not contain the stage. */
export const isAtDomain = ({ domainNames }: ApiDefinition, request: GatewayRequest): boolean => {
  const [name = ''] = (headerValue(request, 'host') ?? '').toLowerCase().split(':');
  return domainNames.includes(name);
};

export const pathInStage = (api: ApiDefinition, request: GatewayRequest): string =>
  (isAtDomain(api, request) ? request.rawPath : request.rawPath.slice(api.stage.length + 1)) || '/';

/** Whether the API declares the media type as binary; parameters are ignored. */
export const isBinary = (
  { binaryMediaTypes }: Pick<ApiDefinition, 'binaryMediaTypes'>,
  type = '',
): boolean => {
  const [mediaType = ''] = type.toLowerCase().split(';');
  return binaryMediaTypes.includes('*/*') || binaryMediaTypes.includes(mediaType.trim());
};

const requestContext = (api: ApiDefinition, request: GatewayRequest, { route }: RouteMatch) => {
  const host = headerValue(request, 'host') ?? '';
  return {
    accountId: api.accountId,
    apiId: api.apiId,
    deploymentId: api.deploymentId,
    domainName: host,
    domainPrefix: host.split('.')[0],
    extendedRequestId: request.extendedRequestId,
    httpMethod: request.method,
    identity: {
      ...NO_IDENTITY,
      sourceIp: request.sourceIp,
      userAgent: headerValue(request, 'user-agent') ?? null,
    },
    path: request.rawPath,
    protocol: request.protocol,
    requestId: request.requestId,
    requestTime: commonLogTime(request.receivedAt),
    requestTimeEpoch: request.receivedAt.getTime(),
    resourceId: route.resourceId,
    resourcePath: route.resourcePath,
    stage: api.stage,
  };
};

const forwardedHeaders = (request: GatewayRequest): (readonly [string, string])[] => {
  const port = /:(\d+)$/.exec(headerValue(request, 'host') ?? '')?.[1] ?? '80';
  const forwardedFor = [headerValue(request, 'x-forwarded-for'), request.sourceIp].filter(
    (part) => part !== undefined,
  );
  const own = {
    'X-Amzn-Trace-Id': `Root=1-${Math.floor(request.receivedAt.getTime() / 1000).toString(16)}-${request.requestId.replaceAll('-', '').slice(0, 24)}`,
    'X-Forwarded-For': forwardedFor.join(', '),
    'X-Forwarded-Port': port,
    'X-Forwarded-Proto': 'http',
  };
  const ownNames = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const kept = request.headerList.filter(([name]) => {
    const lower = name.toLowerCase();
    return !DROPPED_HEADERS.has(lower) && !ownNames.has(lower);
  });
  return [...kept, ...Object.entries(own)];
};

const group = (
  pairs: readonly (readonly [string, string])[],
  identity: (name: string) => string,
): Record<string, string[]> => {
  const groups = Map.groupBy(pairs, ([name]) => identity(name));
  return Object.fromEntries(
    Array.from(groups, ([key, same]) => [same[0]?.[0] ?? key, same.map(([, value]) => value)]),
  );
};

const lastValues = (grouped: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(grouped).map(([name, values]) => [name, values.at(-1) ?? '']));

const commonLogTime = (time: Date): string => {
  const [, date, month, year, clock] = time.toUTCString().split(' ');
  return `${date}/${month}/${year}:${clock} +0000`;
};
