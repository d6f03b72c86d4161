import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import type { Resources } from '../resources/resources.ts';
import { deploymentAlarm, listAlarms } from './alarms.ts';
import { addDashboard } from './dashboard.ts';
import { type AlarmRow, addServerErrors } from './metrics.ts';

/** `DeadLettersWait` is `Dead letters wait`; the name of an upstream follows a dash. */
const toWords = (id: string): string =>
  id.replace(/-.*/, '').replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The alarms and the dashboard for operators. RUNBOOK.md has a section for each alarm. */
export class Monitoring extends Construct {
  readonly topic: Topic;
  /** Roll back a gradual deployment; empty if deployments are not gradual. */
  readonly deploymentAlarms: readonly Alarm[];

  constructor(scope: Construct, id: string, resources: Resources) {
    super(scope, id);
    const { config } = resources;
    const monitored = addServerErrors(resources);
    this.topic = new AlarmTopic(this, 'Alarms', config).topic;
    const action = new SnsAction(this.topic);
    const notify = <T extends AlarmBase>(alarm: T): T => {
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    };
    const create = (row: AlarmRow) => notify(this.#alarm(row));
    const rows = listAlarms(monitored);
    const parts = rows.filter(({ isPart }) => isPart === true).map((row) => this.#alarm(row));
    const alarms = rows.filter(({ isPart }) => isPart !== true).map(create);
    const availability = notify(this.#availability(config, parts));
    this.deploymentAlarms = config.trafficShift === 'AllAtOnce' ? [] : [create(deploymentAlarm(monitored))];
    addDashboard(this, monitored, [availability, ...alarms, ...this.deploymentAlarms]);
  }

  /** All parts must ring. */
  #availability({ stackName }: Config, parts: readonly Alarm[]): CompositeAlarm {
    return new CompositeAlarm(this, 'Availability', {
      // CDK's own name would join the stack's name without a dash, which permissions for STACK-* do not cover.
      compositeAlarmName: `${stackName}-Availability`,
      alarmDescription:
        'So many requests are answered with 5xx that the objective of 99.5 % is at risk. RUNBOOK.md: Availability',
      alarmRule: AlarmRule.allOf(...parts.map((part) => AlarmRule.fromAlarm(part, AlarmState.ALARM))),
    });
  }

  #alarm({ id, description, metric, datapoints: [breaching, of] = [1, 1], ...rest }: AlarmRow): Alarm {
    return new Alarm(this, id, {
      alarmDescription: `${description} RUNBOOK.md: ${rest.section ?? toWords(id)}`,
      metric,
      threshold: rest.threshold ?? 0,
      comparisonOperator: rest.comparison ?? ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: of,
      datapointsToAlarm: breaching,
      treatMissingData: rest.missing ?? TreatMissingData.NOT_BREACHING,
    });
  }
}

/** An encrypted topic for this account's alarms, with an optional e-mail subscription. */
class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { alarmEmail, stackName, kmsKeyArn }: Config) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      displayName: `${stackName} alarms`,
      ...(kmsKeyArn === '' ? { masterKey: this.#newKey(stackName) } : {}),
      enforceSSL: true,
    });
    // enforceSSL adds a topic policy, which then must allow alarms explicitly.
    this.topic.addToResourcePolicy(this.#allowAlarms(['sns:Publish'], this.topic.topicArn));
    if (alarmEmail !== '') this.topic.addSubscription(new EmailSubscription(alarmEmail));
  }

  /** Alarms cannot use the AWS managed key for SNS, and its policy cannot be changed. */
  #newKey(stackName: string): Key {
    const key = new Key(this, 'Key', {
      description: `Encrypts the alarms of ${stackName}`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(this.#allowAlarms(['kms:Decrypt', 'kms:GenerateDataKey'], '*'));
    return key;
  }

  #allowAlarms(actions: string[], resource: string): PolicyStatement {
    return new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions,
      resources: [resource],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    });
  }
}
