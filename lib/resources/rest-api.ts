import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  type LambdaIntegrationOptions,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { logRetention } from '../lambda/log-retention.ts';
import { CustomDomain } from './custom-domain.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { acknowledgeFindings } from './rest-api-acknowledgements.ts';
import { SLOW_ROUTES } from './slow-routes.ts';

/** The access log names the route, never the query or the body. */
const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    ip: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    route: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    bytes: AccessLogField.contextResponseLength(),
    milliseconds: AccessLogField.contextResponseLatency(),
  }),
);

const STAGE = 'prod';

/** Errors alone, without bodies; metrics by method are paid for each, and nothing here reads them. */
const METHOD_LOGGING = {
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
  metricsEnabled: false,
} as const;

/** A method with a setting of its own takes none of the stage's, so that each is said again. */
const slowRouteLimits = (config: Config): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(
    SLOW_ROUTES.map((path) => [
      `${path}/POST`,
      {
        ...METHOD_LOGGING,
        throttlingRateLimit: config.imageThrottleRequestsPerSecond,
        throttlingBurstLimit: config.imageThrottleBurst,
      },
    ]),
  );

/** One permission a function, not one a method: methods come by the dozen, and a stack holds 500 resources. */
const INTEGRATION = { scopePermissionToMethod: false } as const;

/** The public face: a regional REST API that hands each route to a function of its own. */
export class Api extends Construct {
  readonly rest: RestApi;
  /** Requests answered with 429; the gateway counts them among all 4xx. */
  readonly throttledRequests: Metric;
  readonly accessLog: LogGroup;
  readonly executionLog: LogGroup;
  readonly #allowedOrigins: readonly string[];

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#allowedOrigins = config.allowedOrigins;
    const domain = new CustomDomain(this, 'Domain', config);
    this.accessLog = this.#logGroup('AccessLog', config);
    this.throttledRequests = this.accessLog
      .addMetricFilter('Throttled', {
        filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
        metricNamespace: `MediaGeneration/${config.stackName}`,
        metricName: 'ThrottledRequests',
      })
      .metric({ statistic: 'Sum', label: '429' });
    this.rest = new RestApi(this, 'Rest', {
      restApiName: config.stackName,
      endpointTypes: [EndpointType.REGIONAL],
      binaryMediaTypes: ['multipart/form-data'],
      cloudWatchRole: config.apiGatewayAccountRole,
      deployOptions: {
        stageName: STAGE,
        ...METHOD_LOGGING,
        throttlingRateLimit: config.throttleRequestsPerSecond,
        throttlingBurstLimit: config.throttleBurst,
        methodOptions: slowRouteLimits(config),
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: ACCESS_LOG,
        // A trace of the gateway holds the address with its query, and so the key of whoever sends it there.
        tracingEnabled: false,
      },
      ...domain.options(),
    });
    // The stack's own output names the address that is in use; this one knows of no custom domain.
    this.rest.node.tryRemoveChild('Endpoint');
    domain.pointAt(this.rest);
    // API Gateway would make this group by itself, and it would never expire.
    const executionLogName = `API-Gateway-Execution-Logs_${this.rest.restApiId}/${STAGE}`;
    this.executionLog = this.#logGroup('ExecutionLog', config, executionLogName);
    this.rest.deploymentStage.node.addDependency(this.executionLog);
    addGatewayResponses(this.rest, config);
    acknowledgeFindings(this.rest, config);
  }

  #logGroup(id: string, config: Config, logGroupName?: string): LogGroup {
    return new LogGroup(this, id, {
      ...(logGroupName === undefined ? {} : { logGroupName }),
      retention: logRetention(config.logRetentionDays),
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  /** Each GET is a HEAD too, as HTTP has it; the gateway would take that for an unknown route. */
  #add(method: string, path: string, handler: LambdaFunction, options: LambdaIntegrationOptions): void {
    // Whatever answers a browser says which pages may read it.
    if (this.#allowedOrigins.length > 0)
      handler.addEnvironment('ALLOWED_ORIGINS', this.#allowedOrigins.join(' '));
    const resource = this.rest.root.resourceForPath(path);
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method])
      resource.addMethod(each, new LambdaIntegration(handler, { ...INTEGRATION, ...options }));
  }

  readonly route = (method: string, path: string, handler: LambdaFunction): void =>
    this.#add(method, path, handler, {});

  /** The answer goes to the client as the function writes it: past the 29 seconds and 10 MB of a whole one. */
  readonly routeStreamed = (
    method: string,
    path: string,
    handler: LambdaFunction,
    timeoutSeconds: number,
  ): void =>
    this.#add(method, path, handler, {
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: Duration.seconds(timeoutSeconds),
    });
}
