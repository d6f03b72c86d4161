import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmRow } from './alarm-row.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { alarmsOf } from './alarms.ts';
import type { Config } from './config.ts';
import { addDashboard } from './dashboard.ts';
import type { Watched } from './service-metrics.ts';

/** What an operator looks at, and what calls one: RUNBOOK.md has a section for each alarm. */
export class Operations extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, config: Config, watched: Watched) {
    super(scope, id);
    this.topic = new AlarmTopic(this, 'Alarms', config).topic;
    const action = new SnsAction(this.topic);
    const alarms = alarmsOf(watched).map((row) => {
      const alarm = this.#alarm(row);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    });
    addDashboard(this, watched, alarms);
  }

  #alarm({ id, section, says, metric, above, bad: [bad, of] = [1, 1], ...rest }: AlarmRow): Alarm {
    return new Alarm(this, id, {
      alarmDescription: `${says} RUNBOOK.md: ${section}`,
      metric,
      threshold: above,
      comparisonOperator: rest.comparison ?? ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: of,
      datapointsToAlarm: bad,
      treatMissingData: rest.missing ?? TreatMissingData.NOT_BREACHING,
    });
  }
}
