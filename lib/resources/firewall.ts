import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { logRetention } from '../lambda/service-function.ts';

/**
 * Rules of AWS's core rule set that would block legitimate requests. They only count, so that the metrics of the web ACL
 * show what they match; all other rules block.
 */
const COUNTED_RULES = [
  // Bodies are larger than 8 KB as soon as they contain an image.
  'SizeRestrictions_BODY',
  // Prompts are free text, and image bytes match by chance. The service never interprets either.
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  // The code of some OpenID Connect providers alone is longer than 2,048 bytes.
  'SizeRestrictions_QUERYSTRING',
  // Programs need not send one.
  'NoUserAgent_HEADER',
];

const RATE_WINDOW_SECONDS = 300;

/** Neither the console of WAF nor its samples show requests, whose query can contain an API key. */
const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/** Limits the requests of single addresses, then applies AWS's core rule set. */
const createWebAcl = (scope: Construct, { stackName, wafRequestsPerAddress }: Config): CfnWebACL =>
  new CfnWebACL(scope, 'WebAcl', {
    scope: 'REGIONAL',
    description: `Protects the API of ${stackName}`,
    defaultAction: { allow: {} },
    visibilityConfig: visibility(stackName),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: {} },
        visibilityConfig: visibility('RequestsPerAddress'),
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            limit: wafRequestsPerAddress,
            evaluationWindowSec: RATE_WINDOW_SECONDS,
          },
        },
      },
      {
        name: 'CoreRuleSet',
        priority: 1,
        overrideAction: { none: {} },
        visibilityConfig: visibility('CoreRuleSet'),
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name: 'AWSManagedRulesCommonRuleSet',
            ruleActionOverrides: COUNTED_RULES.map((name) => ({ name, actionToUse: { count: {} } })),
          },
        },
      },
    ],
  });

/** Headers with which clients and the console identify themselves. */
const SECRET_HEADERS = ['authorization', 'x-goog-api-key', 'x-vendor-api-key', 'cookie'];

/**
 * Logs blocked requests. API keys can be in the query and in headers, and the paths of share links are secrets: the
 * access log has the route of the same request.
 */
const logBlockedRequests = (
  scope: Construct,
  { stackName, logRetentionDays }: Config,
  webAclArn: string,
): void => {
  const group = new LogGroup(scope, 'Logs', {
    // WAF accepts only names with this beginning.
    logGroupName: `aws-waf-logs-${stackName}`,
    retention: logRetention(logRetentionDays),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  new CfnLoggingConfiguration(scope, 'Logging', {
    resourceArn: webAclArn,
    // WAF does not accept the `:*` at the end of the group's own ARN.
    logDestinationConfigs: [
      Stack.of(scope).formatArn({
        service: 'logs',
        resource: 'log-group',
        resourceName: group.logGroupName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    ],
    redactedFields: [
      { queryString: {} },
      { uriPath: {} },
      ...SECRET_HEADERS.map((name) => ({ singleHeader: { Name: name } })),
    ],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [
        {
          Behavior: 'KEEP',
          Requirement: 'MEETS_ANY',
          Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
        },
      ],
    },
  });
};

/** The web ACL of the API, if one is configured: the stack's own, or an existing one. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, config: Config, stageArn: string) {
    super(scope, id);
    const webAclArn = config.waf ? createWebAcl(this, config).attrArn : config.webAclArn;
    if (config.wafLogs) logBlockedRequests(this, config, webAclArn);
    if (webAclArn !== '') new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn });
  }
}
