import type { CfnStage } from 'aws-cdk-lib/aws-apigateway';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Aws, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import type { InvocationTarget } from '../lambda/service-function.ts';

/** Routes with throttle limits of their own: `slow` routes occupy a function for long, `public` ones need no key. */
type ThrottleClass = 'slow' | 'public';

export type RouteOptions = {
  /** Streams the response for up to this long; a buffered response is limited to 29 seconds and 10 MB. */
  readonly streamSeconds?: number;
  readonly throttle?: ThrottleClass;
};

type Route = RouteOptions & {
  readonly method: string;
  readonly path: string;
  readonly handler: InvocationTarget;
};

/** Also for methods with their own settings, which would otherwise log nothing. */
const ERROR_LOGGING = { loggingLevel: 'ERROR' } as const;

const throttleLimits = (config: Config): Record<ThrottleClass, readonly [rate: number, burst: number]> => ({
  slow: [config.imageThrottleRequestsPerSecond, config.imageThrottleBurst],
  public: [config.publicThrottleRequestsPerSecond, config.publicThrottleBurst],
});

const PATH_PARAMETER = /\{(\w+)\+?\}/g;

/** Collects the routes of the features and renders them as OpenAPI paths and as method settings of the stage. */
export class ApiRoutes extends Construct {
  readonly #routes: Route[] = [];
  /** One role to invoke all functions: a Lambda permission per function would be one resource each. */
  readonly #role: IRole;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // A list of the functions would not fit into one policy, and a new function would move others between two.
    const functions = `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${Aws.STACK_NAME}-*`;
    const invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functions] });
    this.#role = new Role(this, 'InvokeRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { Invoke: new PolicyDocument({ statements: [invoke] }) },
    });
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:<AWS::StackName>-*]',
      reason: 'The API invokes the functions of its own stack, and its body names which.',
    });
  }

  add(method: string, path: string, handler: InvocationTarget, options: RouteOptions): void {
    this.#routes.push({ ...options, method, path, handler });
  }

  paths(): Record<string, Record<string, unknown>> {
    const paths: Record<string, Record<string, unknown>> = {};
    for (const route of this.#routes) {
      const item = paths[route.path] ?? {};
      paths[route.path] = item;
      const key = route.method === 'ANY' ? 'x-amazon-apigateway-any-method' : route.method.toLowerCase();
      if (key in item) throw new Error(`two functions have the route ${route.method} ${route.path}`);
      item[key] = this.#operation(route);
    }
    return paths;
  }

  #operation({ path, handler, streamSeconds }: Route) {
    const parameters = [...path.matchAll(PATH_PARAMETER)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const isStreamed = streamSeconds !== undefined;
    const [version, action] = isStreamed
      ? ['2021-11-15', 'response-streaming-invocations']
      : ['2015-03-31', 'invocations'];
    return {
      ...(parameters.length === 0 ? {} : { parameters }),
      responses: {},
      'x-amazon-apigateway-integration': {
        type: 'aws_proxy',
        // The gateway calls Lambda with POST, whatever the client's method is.
        httpMethod: 'POST',
        uri: Stack.of(this).formatArn({
          service: 'apigateway',
          account: 'lambda',
          resource: 'path',
          resourceName: `${version}/functions/${handler.functionArn}/${action}`,
        }),
        credentials: this.#role.roleArn,
        ...(isStreamed ? { responseTransferMode: 'STREAM', timeoutInMillis: streamSeconds * 1000 } : {}),
      },
    };
  }

  /**
   * Each field is one patch operation of UpdateStage, which refuses large updates, so few routes have settings of their
   * own. A method with its own settings inherits none of the stage's: unless stated, it logs nothing, without bodies and
   * without metrics by method, which cost money.
   */
  methodSettings(config: Config): CfnStage.MethodSettingProperty[] {
    const limits = throttleLimits(config);
    const stage: CfnStage.MethodSettingProperty = {
      ...ERROR_LOGGING,
      dataTraceEnabled: false,
      metricsEnabled: false,
      httpMethod: '*',
      resourcePath: '/*',
      throttlingRateLimit: config.throttleRequestsPerSecond,
      throttlingBurstLimit: config.throttleBurst,
    };
    const own = this.#routes.flatMap(({ method, path, throttle }) => {
      if (throttle === undefined) return [];
      const [throttlingRateLimit, throttlingBurstLimit] = limits[throttle];
      const resourcePath = path === '/' ? '/' : `/${path.replaceAll('/', '~1')}`;
      return [
        { ...ERROR_LOGGING, httpMethod: method, resourcePath, throttlingRateLimit, throttlingBurstLimit },
      ];
    });
    return [stage, ...own];
  }
}

type ErrorType = 'invalid_request_error' | 'rate_limit_error' | 'server_error';

/** The DEFAULT responses have no status: they keep the one that the gateway has chosen. */
type GatewayError = readonly [
  statusCode: number | undefined,
  type: ErrorType,
  code: string,
  message: string,
  retryAfterSeconds?: number,
];

const UNKNOWN_ROUTE: GatewayError = [404, 'invalid_request_error', 'not_found', 'There is no such endpoint.'];

/** The gateway's own errors by response type, in the format of the service's errors. */
const GATEWAY_ERRORS: Readonly<Record<string, GatewayError>> = {
  MISSING_AUTHENTICATION_TOKEN: UNKNOWN_ROUTE,
  RESOURCE_NOT_FOUND: UNKNOWN_ROUTE,
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    'invalid_request_error',
    'unsupported_media_type',
    'The content type is not supported.',
  ],
  THROTTLED: [429, 'rate_limit_error', 'rate_limited', 'Too many requests; slow down.', 1],
  QUOTA_EXCEEDED: [429, 'rate_limit_error', 'rate_limited', 'The quota is used up.', 1],
  WAF_FILTERED: [
    403,
    'invalid_request_error',
    'invalid_request',
    'The web application firewall of this service blocked the request.',
  ],
  INTEGRATION_TIMEOUT: [504, 'server_error', 'internal', 'The service did not answer in time.'],
  // Lambda did not run the function, mostly because the account's concurrency is used up. A function that fails gets 502.
  INTEGRATION_FAILURE: [
    503,
    'server_error',
    'overloaded',
    'The service is overloaded; try again in 5 seconds.',
    5,
  ],
  DEFAULT_4XX: [undefined, 'invalid_request_error', 'invalid_request', 'The request cannot be read.'],
  DEFAULT_5XX: [undefined, 'server_error', 'internal', 'Something went wrong on our side.'],
};

/** Lambda accepts 6 MB, where binary bodies grow by a third. */
const tooLarge = ({ googleFileUploads }: Pick<Config, 'googleFileUploads'>): GatewayError => [
  413,
  'invalid_request_error',
  'request_too_large',
  `The request is too large: about 4.4 MB ${googleFileUploads ? '' : 'of multipart form or 6 MB of JSON '}are accepted. For a larger image send JSON {filename, bytes, mime_type, purpose} to POST /v1/files, PUT its bytes to upload.url of the answer, and name it by file_id.`,
];

/**
 * Bodies of other types reach a function as text, in which every byte that is not UTF-8 is lost. Google's SDKs declare
 * the bytes of a file as JSON, and the gateway cannot tell one route's JSON from another's.
 */
export const binaryMediaTypes = ({ googleFileUploads }: Pick<Config, 'googleFileUploads'>): string[] =>
  googleFileUploads
    ? ['*/*']
    : [
        'multipart/form-data',
        'multipart/related',
        'application/octet-stream',
        'image/jpeg',
        'image/png',
        'image/webp',
      ];

/** A gateway response cannot check the origin. Its text is always the same, so any page may read it. */
const CORS_HEADERS = {
  'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
  'gatewayresponse.header.Access-Control-Expose-Headers': "'x-request-id, retry-after'",
};

/** The value of `x-amazon-apigateway-gateway-responses` in the OpenAPI definition. */
export const gatewayResponses = (config: Pick<Config, 'allowedOrigins' | 'googleFileUploads'>) =>
  Object.fromEntries(
    Object.entries({ ...GATEWAY_ERRORS, REQUEST_TOO_LARGE: tooLarge(config) }).map(
      ([responseType, [statusCode, type, code, message, retryAfterSeconds]]) => [
        responseType,
        {
          ...(statusCode === undefined ? {} : { statusCode }),
          responseParameters: {
            'gatewayresponse.header.x-request-id': 'context.requestId',
            ...(retryAfterSeconds === undefined
              ? {}
              : { 'gatewayresponse.header.Retry-After': `'${retryAfterSeconds}'` }),
            ...(config.allowedOrigins.length === 0 ? {} : CORS_HEADERS),
          },
          responseTemplates: {
            'application/json': JSON.stringify({ error: { message, type, param: null, code } }),
          },
        },
      ],
    ),
  );
