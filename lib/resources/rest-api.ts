import { Lazy, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  CfnRestApi,
  CfnStage,
  EndpointType,
  LogGroupLogDestination,
  RestApiMode,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { logRetention } from '../lambda/log-retention.ts';
import type { InvocationTarget } from '../lambda/service-function.ts';
import { ApiRoutes, type RouteOptions } from './api-routes.ts';
import { CustomDomain } from './custom-domain.ts';
import { gatewayResponses } from './gateway-responses.ts';

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

/** TLS 1.2 and 1.3. The names of these policies require an access mode; BASIC changes nothing else. */
const TLS = { securityPolicy: 'SecurityPolicy_TLS13_1_2_2021_06', endpointAccessMode: 'BASIC' } as const;

type RoutedFunction = {
  readonly target: InvocationTarget;
  addEnvironment(name: string, value: string): unknown;
};

/** The public face: a regional REST API that routes each endpoint to its own function. */
export class Api extends Construct {
  readonly rest: SpecRestApi;
  /** Requests answered with 429; the gateway counts them among all 4xx. */
  readonly throttledRequests: Metric;
  readonly accessLog: LogGroup;
  readonly executionLog: LogGroup;
  readonly #allowedOrigins: readonly string[];
  readonly #routes: ApiRoutes;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#allowedOrigins = config.allowedOrigins;
    this.#routes = new ApiRoutes(this, 'Routes');
    const domain = new CustomDomain(this, 'Domain', config);
    this.accessLog = this.#logGroup('AccessLog', config);
    this.throttledRequests = this.accessLog
      .addMetricFilter('Throttled', {
        filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
        metricNamespace: `MediaGeneration/${config.stackName}`,
        metricName: 'ThrottledRequests',
      })
      .metric({ statistic: 'Sum', label: '429' });
    this.rest = new SpecRestApi(this, 'Rest', {
      restApiName: config.stackName,
      apiDefinition: ApiDefinition.fromInline(this.#body(config)),
      // Each deployment replaces the whole definition, so that a removed route is gone.
      mode: RestApiMode.OVERWRITE,
      endpointTypes: [EndpointType.REGIONAL],
      // An import makes the API edge-optimized unless this parameter says otherwise.
      parameters: { endpointConfigurationTypes: EndpointType.REGIONAL },
      cloudWatchRole: config.apiGatewayAccountRole,
      deployOptions: {
        stageName: STAGE,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: ACCESS_LOG,
        // A trace of the gateway contains the query, and with it the key of clients that send it there.
        tracingEnabled: false,
      },
      ...domain.options(),
    });
    this.#configureResources(config);
    domain.pointAt(this.rest);
    // API Gateway would create this group by itself, and it would never expire.
    const executionLogName = `API-Gateway-Execution-Logs_${this.rest.restApiId}/${STAGE}`;
    this.executionLog = this.#logGroup('ExecutionLog', config, executionLogName);
    this.rest.deploymentStage.node.addDependency(this.executionLog);
    const { webAclArn } = config;
    if (webAclArn !== '')
      new CfnWebACLAssociation(this, 'Firewall', {
        resourceArn: this.rest.deploymentStage.stageArn,
        webAclArn,
      });
    acknowledgeFindings(this.rest, config);
  }

  /**
   * Everything that the gateway needs is in the body. Separate resources for methods and gateway responses would be
   * created one by one against API Gateway's quotas, and lost with the next import.
   */
  #body(config: Config): Record<string, unknown> {
    return {
      openapi: '3.0.1',
      info: { title: config.stackName, version: '1' },
      'x-amazon-apigateway-binary-media-types': ['multipart/form-data'],
      'x-amazon-apigateway-security-policy': TLS.securityPolicy,
      'x-amazon-apigateway-endpoint-access-mode': TLS.endpointAccessMode,
      'x-amazon-apigateway-gateway-responses': gatewayResponses(config),
      ...(config.domainName === ''
        ? {}
        : {
            servers: [
              {
                url: `https://${config.domainName}`,
                'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true },
              },
            ],
          }),
      // Features add their routes after this construct has been created.
      paths: Lazy.any({ produce: () => this.#routes.paths() }),
    };
  }

  /** Sets the properties that SpecRestApi does not offer or needs before the routes are known. */
  #configureResources(config: Config): void {
    const { defaultChild: api } = this.rest.node;
    const { defaultChild: stage } = this.rest.deploymentStage.node;
    if (!(api instanceof CfnRestApi) || !(stage instanceof CfnStage))
      throw new Error('SpecRestApi has other resources than expected');
    api.securityPolicy = TLS.securityPolicy;
    api.endpointAccessMode = TLS.endpointAccessMode;
    stage.methodSettings = Lazy.any({ produce: () => this.#routes.methodSettings(config) });
    // The stack's own output names the address in use; this one ignores a custom domain.
    this.rest.node.tryRemoveChild('Endpoint');
  }

  #logGroup(id: string, config: Config, logGroupName?: string): LogGroup {
    return new LogGroup(this, id, {
      ...(logGroupName === undefined ? {} : { logGroupName }),
      retention: logRetention(config.logRetentionDays),
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  readonly route = (
    method: string,
    path: string,
    handler: RoutedFunction,
    options: RouteOptions = {},
  ): void => {
    // Every function that answers a browser must know which pages may read the answer.
    if (this.#allowedOrigins.length > 0)
      handler.addEnvironment('ALLOWED_ORIGINS', this.#allowedOrigins.join(' '));
    this.#routes.add(method, path, handler.target, options);
    // API Gateway treats HEAD as an unknown route unless there is one.
    if (method === 'GET') this.#routes.add('HEAD', path, handler.target, options);
  };
}

const acknowledgeFindings = (
  api: SpecRestApi,
  { apiGatewayAccountRole, webAclArn }: Pick<Config, 'apiGatewayAccountRole' | 'webAclArn'>,
): void => {
  const findings = [
    {
      id: 'AwsSolutions-APIG2',
      reason: 'The handlers validate every field and answer in the API’s own error form.',
    },
    {
      id: 'AwsSolutions-APIG4',
      reason: 'The handlers check the API key: gateway authorizers cannot answer in two error dialects.',
    },
    { id: 'AwsSolutions-COG4', reason: 'Callers are programs with API keys, not users of a Cognito pool.' },
  ];
  if (webAclArn === '')
    findings.push({
      id: 'AwsSolutions-APIG3',
      reason:
        'A web ACL costs money and is the account owner’s choice: the setting webAclArn associates one.',
    });
  if (apiGatewayAccountRole)
    findings.push({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'AWS’s own policy is what lets API Gateway write to CloudWatch Logs.',
    });
  Validations.of(api).acknowledge(...findings);
};
