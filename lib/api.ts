import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Config } from './config.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { logRetention } from './log-retention.ts';

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

/** The public face: a regional REST API that hands each route to a function of its own. */
export class Api extends Construct {
  readonly rest: RestApi;
  /** Requests answered with 429; the gateway counts them among all 4xx. */
  readonly throttledRequests: Metric;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: logRetention(config.logRetentionDays),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.throttledRequests = accessLog
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
      cloudWatchRole: true,
      deployOptions: {
        stageName: 'prod',
        throttlingRateLimit: config.throttleRequestsPerSecond,
        throttlingBurstLimit: config.throttleBurst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: ACCESS_LOG,
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        metricsEnabled: true,
        tracingEnabled: true,
      },
      ...(config.domainName === ''
        ? {}
        : {
            domainName: {
              domainName: config.domainName,
              securityPolicy: SecurityPolicy.TLS_1_2,
              certificate: Certificate.fromCertificateArn(this, 'Certificate', config.certificateArn),
            },
          }),
    });
    addGatewayResponses(this.rest);
    acknowledge(this.rest);
  }

  readonly route = (method: string, path: string, handler: IFunction): void => {
    this.rest.root
      .resourceForPath(path)
      .addMethod(method, new LambdaIntegration(handler, { allowTestInvoke: false }));
  };

  /** The answer goes to the client as the function writes it: past the 29 seconds and 10 MB of a whole one. */
  readonly routeStreamed = (
    method: string,
    path: string,
    handler: IFunction,
    timeoutSeconds: number,
  ): void => {
    this.rest.root.resourceForPath(path).addMethod(
      method,
      new LambdaIntegration(handler, {
        allowTestInvoke: false,
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: Duration.seconds(timeoutSeconds),
      }),
    );
  };
}

const acknowledge = (api: RestApi): void =>
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-APIG2',
      reason: 'The handlers validate every field and answer in the API’s own error form.',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason: 'A web ACL is the account owner’s choice and price; the API can be attached to one.',
    },
    {
      id: 'AwsSolutions-APIG4',
      reason: 'The handlers check the API key: gateway authorizers cannot answer in two error dialects.',
    },
    { id: 'AwsSolutions-COG4', reason: 'Callers are programs with API keys, not users of a Cognito pool.' },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'AWS’s own policy is what lets API Gateway write to CloudWatch Logs.',
    },
  );
