import { Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';

const ALWAYS = [
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
];

const ACCOUNT_ROLE = {
  id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
  reason: 'AWS’s own policy is what lets API Gateway write to CloudWatch Logs.',
};

export const acknowledgeFindings = (
  api: RestApi,
  { apiGatewayAccountRole }: { readonly apiGatewayAccountRole: boolean },
): void => Validations.of(api).acknowledge(...ALWAYS, ...(apiGatewayAccountRole ? [ACCOUNT_ROLE] : []));
