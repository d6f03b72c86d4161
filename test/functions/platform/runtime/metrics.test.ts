import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LogEvent, LogFields } from '../../../../functions/platform/domain/log-events.ts';
import { metricsOf } from '../../../../functions/platform/runtime/metrics.ts';

const CASES: readonly (readonly [
  event: LogEvent,
  fields: LogFields,
  values: Record<string, number>,
  dimensions: string[][],
])[] = [
  ['task created', { model: 'm' }, { TasksCreated: 1 }, [['service'], ['service', 'model']]],
  ['task submitted', { queueSeconds: 1.5 }, { QueueWait: 1.5 }, [['service']]],
  [
    'task failed',
    { model: 'm', code: 'internal' },
    { TasksFailed: 1 },
    [['service'], ['service', 'code'], ['service', 'model', 'code']],
  ],
  ['request', { serverError: true }, { ServerErrors: 1 }, [['service']]],
  ['swept', { requeued: 2, left: 0 }, { SweeperRepairs: 2 }, [['service']]],
  ['swept', { requeued: 0, left: 3 }, { SweeperBacklog: 3 }, [['service']]],
  ['task submitted', { queueSeconds: 0 }, { QueueWait: 0 }, [['service']]],
  // A dimension that a line does not have would make CloudWatch refuse the whole set.
  ['task created', {}, { TasksCreated: 1 }, [['service']]],
];

describe('an event becomes a metric:', () => {
  for (const [event, fields, values, dimensions] of CASES)
    test(`${event} with ${JSON.stringify(fields)}`, () => {
      const { _aws, ...members } = metricsOf(event, fields, 7);
      assert.deepEqual(members, values);
      const [name = ''] = Object.keys(values);
      const { Timestamp, CloudWatchMetrics } = Object(_aws);
      assert.equal(Timestamp, 7);
      assert.equal(CloudWatchMetrics[0].Namespace, 'MediaGeneration');
      assert.equal(CloudWatchMetrics[0].Metrics[0].Name, name);
      assert.deepEqual(CloudWatchMetrics[0].Dimensions, dimensions);
    });

  test('a completed task counts, tells its time and bills its seconds', () => {
    const fields = { model: 'm', seconds: 8, generationSeconds: 61.2 };
    const { _aws, ...members } = metricsOf('task completed', fields, 0);
    assert.deepEqual(members, { TasksCompleted: 1, GenerationTime: 61.2, SecondsBilled: 8 });
  });

  test('an event that is not in the table becomes none, nor does a figure that is missing', () => {
    assert.deepEqual(metricsOf('overtaken', {}, 0), {});
    assert.deepEqual(metricsOf('task submitted', {}, 0), {});
  });

  test('a count of 0 becomes none, since CloudWatch charges for every hour in which a metric is written', () => {
    assert.deepEqual(metricsOf('request', { serverError: false }, 0), {});
    assert.deepEqual(metricsOf('swept', { requeued: 0, left: 0 }, 0), {});
  });
});
