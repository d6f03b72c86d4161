import { Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import type { Functions } from './functions.ts';

type GradualShift = Exclude<Config['trafficShift'], 'AllAtOnce'>;

const SHIFTS: Readonly<Record<GradualShift, ILambdaDeploymentConfig>> = {
  Canary10Percent5Minutes: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  Canary10Percent15Minutes: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  Linear10PercentEvery1Minute: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
};

type Props = {
  readonly shift: GradualShift;
  readonly functions: Functions;
  /** Any of them stops a deployment and returns all traffic to the previous version. */
  readonly alarms: readonly IAlarm[];
};

/** Lets CodeDeploy move the aliases of the gradual functions; without it, CloudFormation moves them at once. */
export class TrafficShift extends Construct {
  constructor(scope: Construct, id: string, { shift, functions, alarms }: Props) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    for (const { node, liveAlias } of functions.all.values())
      if (liveAlias !== undefined)
        new LambdaDeploymentGroup(this, node.id, {
          application,
          role,
          alias: liveAlias,
          alarms: [...alarms],
          deploymentConfig: SHIFTS[shift],
          autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
        });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'AWS’s own policy is what lets CodeDeploy move aliases and read alarms.',
    });
  }
}
