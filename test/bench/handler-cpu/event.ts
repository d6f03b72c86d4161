type Request = {
  readonly method: string;
  readonly resource: string;
  readonly path: string;
  readonly apiKey: string;
  readonly pathParameters: Readonly<Record<string, string>> | null;
  readonly body: string | null;
};

/** The API Gateway event, with the fields that our functions read. */
export const gatewayEvent = ({ method, resource, path, apiKey, pathParameters, body }: Request) => ({
  httpMethod: method,
  resource,
  path,
  headers: {
    Accept: 'application/json',
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    Host: 'bench.test',
    'User-Agent': 'bench',
    'X-Forwarded-Proto': 'https',
  },
  queryStringParameters: null,
  pathParameters,
  body,
  isBase64Encoded: false,
  requestContext: { requestId: 'bench', path: `/prod${path}`, domainName: 'bench.test', stage: 'prod' },
});
