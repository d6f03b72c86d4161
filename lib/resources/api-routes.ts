import { Stack } from 'aws-cdk-lib';
import type { CfnStage } from 'aws-cdk-lib/aws-apigateway';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import type { InvocationTarget } from '../lambda/service-function.ts';

/** Routes with other limits than the stage's: `slow` ones hold a function, `public` ones need no key. */
type ThrottleClass = 'slow' | 'public';

export type RouteOptions = {
  /** Streams the response for up to this long, past the 29 seconds and 10 MB of a buffered one. */
  readonly streamSeconds?: number;
  readonly throttle?: ThrottleClass;
};

type Route = RouteOptions & {
  readonly method: string;
  readonly path: string;
  readonly handler: InvocationTarget;
};

/** Logs errors only, without bodies. Metrics by method would cost money, and nothing reads them. */
const METHOD_LOGGING = { loggingLevel: 'ERROR', dataTraceEnabled: false, metricsEnabled: false } as const;

const throttleLimits = (config: Config): Record<ThrottleClass, readonly [rate: number, burst: number]> => ({
  slow: [config.imageThrottleRequestsPerSecond, config.imageThrottleBurst],
  public: [config.publicThrottleRequestsPerSecond, config.publicThrottleBurst],
});

const PATH_PARAMETER = /\{(\w+)\+?\}/g;

/** The routes that the features add, as the paths of an OpenAPI body and the method settings of a stage. */
export class ApiRoutes extends Construct {
  readonly #routes: Route[] = [];
  /** API Gateway invokes the functions with this role; a permission for each function would be a resource each. */
  readonly #role: IRole;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#role = new Role(this, 'InvokeRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    });
  }

  add(method: string, path: string, handler: InvocationTarget, options: RouteOptions): void {
    this.#role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [handler.functionArn] }),
    );
    this.#routes.push({ ...options, method, path, handler });
  }

  /** The `paths` of the OpenAPI body. */
  paths(): Record<string, Record<string, unknown>> {
    const paths: Record<string, Record<string, unknown>> = {};
    for (const route of this.#routes) {
      const item = paths[route.path] ?? {};
      paths[route.path] = item;
      const key = route.method.toLowerCase();
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
        // The method with which the gateway calls Lambda, whatever the client's is.
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

  /** A method with settings of its own inherits none of the stage's, so each repeats them all. */
  methodSettings(config: Config): CfnStage.MethodSettingProperty[] {
    const limits = throttleLimits(config);
    const stage: CfnStage.MethodSettingProperty = {
      ...METHOD_LOGGING,
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
        { ...METHOD_LOGGING, httpMethod: method, resourcePath, throttlingRateLimit, throttlingBurstLimit },
      ];
    });
    return [stage, ...own];
  }
}
