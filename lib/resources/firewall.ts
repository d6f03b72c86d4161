import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';

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

/** The web ACL of the API, if one is configured: the stack's own, or an existing one. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, config: Config, stageArn: string) {
    super(scope, id);
    const webAclArn = config.waf ? createWebAcl(this, config).attrArn : config.webAclArn;
    if (webAclArn !== '') new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn });
  }
}
