import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  CfnRestApi,
  CfnStage,
  EndpointType,
  LogGroupLogDestination,
  type RestApiBase,
  RestApiMode,
  SecurityPolicy,
  SpecRestApi,
  type SpecRestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGateway } from 'aws-cdk-lib/aws-route53-targets';
import { Lazy, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { type InvocationTarget, logRetention } from '../lambda/service-function.ts';
import { ApiRoutes, binaryMediaTypes, gatewayResponses, type RouteOptions } from './api-definition.ts';
import { Firewall } from './firewall.ts';

/** The API's own domain name, if one is configured. */
class CustomDomain extends Construct {
  readonly #config: Config;
  readonly #zone: IHostedZone | undefined;
  readonly certificate: ICertificate | undefined;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#config = config;
    const { hostedZoneId, hostedZoneName: zoneName } = config;
    if (hostedZoneId !== '')
      this.#zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName });
    this.certificate = this.#findCertificate();
  }

  /** With its own domain name, the API does not answer at the default endpoint. */
  options(): Pick<SpecRestApiProps, 'domainName' | 'disableExecuteApiEndpoint'> {
    const { certificate } = this;
    if (certificate === undefined) return {};
    const { domainName } = this.#config;
    return {
      domainName: { domainName, securityPolicy: SecurityPolicy.TLS_1_2, certificate },
      disableExecuteApiEndpoint: true,
    };
  }

  pointAt(rest: RestApiBase): void {
    if (this.#zone === undefined) return;
    new ARecord(this, 'Alias', {
      zone: this.#zone,
      recordName: `${this.#config.domainName}.`,
      target: RecordTarget.fromAlias(new ApiGateway(rest)),
    });
  }

  #findCertificate(): ICertificate | undefined {
    const { domainName, certificateArn } = this.#config;
    if (domainName === '') return undefined;
    if (certificateArn !== '') return Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    const validation = CertificateValidation.fromDns(this.#zone);
    return new Certificate(this, 'Certificate', { domainName, validation });
  }
}

/** The address given to clients: publicBaseUrl, else the custom domain, else (empty) the address of the request. */
export const publicAddress = ({ publicBaseUrl, domainName }: Config): string =>
  publicBaseUrl === '' && domainName !== '' ? `https://${domainName}` : publicBaseUrl;

/**
 * The access log has the route, never the query or the body. Of an error it has the type of the gateway response: messages
 * can quote a header, and are not escaped.
 */
const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    extendedRequestId: AccessLogField.contextExtendedRequestId(),
    ip: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    route: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    bytes: AccessLogField.contextResponseLength(),
    milliseconds: AccessLogField.contextResponseLatency(),
    error: AccessLogField.contextErrorResponseType(),
    integrationStatus: AccessLogField.contextIntegrationStatus(),
    integrationMilliseconds: AccessLogField.contextIntegrationLatency(),
  }),
);

const STAGE = 'prod';

/** TLS 1.2 and 1.3. Policies with these names require an access mode; BASIC changes nothing else. */
const TLS = { securityPolicy: 'SecurityPolicy_TLS13_1_2_2021_06', endpointAccessMode: 'BASIC' } as const;

type RoutedFunction = {
  readonly target: InvocationTarget;
  addEnvironment(name: string, value: string): unknown;
};

/** A regional REST API that routes each endpoint to its own function. */
export class Api extends Construct {
  readonly rest: SpecRestApi;
  /** Requests answered with 429, which the gateway's own metrics do not separate from other 4xx. */
  readonly throttledRequests: Metric;
  readonly accessLog: LogGroup;
  /** Of the custom domain, if there is one. */
  readonly certificate: ICertificate | undefined;
  readonly executionLog: LogGroup;
  readonly #allowedOrigins: readonly string[];
  readonly #routes: ApiRoutes;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#allowedOrigins = config.allowedOrigins;
    this.#routes = new ApiRoutes(this, 'Routes');
    const domain = new CustomDomain(this, 'Domain', config);
    this.certificate = domain.certificate;
    this.accessLog = this.#logGroup('AccessLog', config, `/aws/apigateway/${config.stackName}-access`);
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
      // Each deployment replaces the whole definition, so that removed routes disappear.
      mode: RestApiMode.OVERWRITE,
      endpointTypes: [EndpointType.REGIONAL],
      // Without this parameter, an import makes the API edge-optimized.
      parameters: { endpointConfigurationTypes: EndpointType.REGIONAL },
      cloudWatchRole: config.apiGatewayAccountRole,
      deployOptions: {
        stageName: STAGE,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: ACCESS_LOG,
        // The gateway's traces contain the query, where some clients send their API key.
        tracingEnabled: false,
      },
      ...domain.options(),
    });
    this.#configureResources(config);
    domain.pointAt(this.rest);
    // API Gateway would create this log group itself, without a retention period.
    const executionLogName = `API-Gateway-Execution-Logs_${this.rest.restApiId}/${STAGE}`;
    this.executionLog = this.#logGroup('ExecutionLog', config, executionLogName);
    this.rest.deploymentStage.node.addDependency(this.executionLog);
    new Firewall(this, 'Firewall', config, this.rest.deploymentStage.stageArn);
    acknowledgeFindings(this.rest, config);
  }

  /**
   * The OpenAPI body defines everything. Separate resources for methods and gateway responses would run into API
   * Gateway's quotas, and the next import would remove them.
   */
  #body(config: Config): Record<string, unknown> {
    return {
      openapi: '3.0.1',
      info: { title: config.stackName, version: '1' },
      'x-amazon-apigateway-binary-media-types': binaryMediaTypes(config),
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

  /** Sets properties that SpecRestApi does not support, or would need before the routes are known. */
  #configureResources(config: Config): void {
    const { defaultChild: api } = this.rest.node;
    const { defaultChild: stage } = this.rest.deploymentStage.node;
    if (!(api instanceof CfnRestApi) || !(stage instanceof CfnStage))
      throw new Error('SpecRestApi has unexpected resources');
    api.securityPolicy = TLS.securityPolicy;
    api.endpointAccessMode = TLS.endpointAccessMode;
    stage.methodSettings = Lazy.any({ produce: () => this.#routes.methodSettings(config) });
    // This output would ignore a custom domain; the stack has its own.
    this.rest.node.tryRemoveChild('Endpoint');
  }

  #logGroup(id: string, config: Config, logGroupName: string): LogGroup {
    return new LogGroup(this, id, {
      logGroupName,
      retention: logRetention(config.logRetentionDays),
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  readonly route = (
    method: string,
    path: string,
    handler: RoutedFunction,
    { isOnlyGet = false, ...options }: RouteOptions & { readonly isOnlyGet?: boolean } = {},
  ): void => {
    // Functions check which pages may read their responses.
    if (this.#allowedOrigins.length > 0)
      handler.addEnvironment('ALLOWED_ORIGINS', this.#allowedOrigins.join(' '));
    this.#routes.add(method, path, handler.target, options);
    // API Gateway answers HEAD only if there is a route for it.
    if (method === 'GET' && !isOnlyGet) this.#routes.add('HEAD', path, handler.target, options);
  };
}

const acknowledgeFindings = (
  api: SpecRestApi,
  { apiGatewayAccountRole, waf, webAclArn }: Pick<Config, 'apiGatewayAccountRole' | 'waf' | 'webAclArn'>,
): void => {
  const findings = [
    {
      id: 'AwsSolutions-APIG2',
      reason: 'The handlers validate every field and respond in the API’s own error format.',
    },
    {
      id: 'AwsSolutions-APIG4',
      reason: 'The handlers check the API key: gateway authorizers cannot respond in two error formats.',
    },
    { id: 'AwsSolutions-COG4', reason: 'Callers are programs with API keys, not users of a Cognito pool.' },
  ];
  if (!waf && webAclArn === '')
    findings.push({
      id: 'AwsSolutions-APIG3',
      reason:
        'A web ACL costs money and is the account owner’s choice: the settings waf and webAclArn associate one.',
    });
  if (apiGatewayAccountRole)
    findings.push({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'This AWS managed policy lets API Gateway write to CloudWatch Logs.',
    });
  Validations.of(api).acknowledge(...findings);
};
