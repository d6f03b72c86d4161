import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import type { AlarmRow } from './alarm-row.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { alarmsOf, deploymentAlarm } from './alarms.ts';
import { addDashboard } from './dashboard.ts';
import type { MonitoredResources } from './metrics.ts';

/** What an operator looks at, and what calls one: RUNBOOK.md has a section for each alarm. */
export class Monitoring extends Construct {
  readonly topic: Topic;
  /** Ring while a gradual deployment fails; none where deployments are not gradual. */
  readonly deploymentAlarms: readonly Alarm[];

  constructor(scope: Construct, id: string, config: Config, monitored: MonitoredResources) {
    super(scope, id);
    this.topic = new AlarmTopic(this, 'Alarms', config).topic;
    const action = new SnsAction(this.topic);
    const create = (row: AlarmRow) => {
      const alarm = this.#alarm(row);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    };
    const alarms = alarmsOf(monitored).map(create);
    this.deploymentAlarms = config.trafficShift === 'AllAtOnce' ? [] : [create(deploymentAlarm(monitored))];
    addDashboard(this, monitored, [...alarms, ...this.deploymentAlarms]);
  }

  #alarm({
    id,
    section,
    description,
    metric,
    threshold,
    datapoints: [breaching, of] = [1, 1],
    ...rest
  }: AlarmRow): Alarm {
    return new Alarm(this, id, {
      alarmDescription: `${description} RUNBOOK.md: ${section}`,
      metric,
      threshold,
      comparisonOperator: rest.comparison ?? ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: of,
      datapointsToAlarm: breaching,
      treatMissingData: rest.missing ?? TreatMissingData.NOT_BREACHING,
    });
  }
}
