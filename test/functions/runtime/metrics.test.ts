import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { LogFields } from '../../../functions/domain/ports.ts';
import { METRICS, metricsOf } from '../../../functions/runtime/metrics.ts';

const FUNCTIONS = join(import.meta.dirname, '..', '..', '..', 'functions');

const CASES: readonly (readonly [
  event: string,
  facts: LogFields,
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
  ['request', { serverError: false }, { ServerErrors: 0 }, [['service']]],
  ['swept', { requeued: 0 }, { SweeperRepairs: 0 }, [['service']]],
  // A dimension that a line does not have would make CloudWatch refuse the whole set.
  ['task created', {}, { TasksCreated: 1 }, [['service']]],
];

describe('an event becomes a metric:', () => {
  for (const [event, facts, values, dimensions] of CASES)
    test(`${event} with ${JSON.stringify(facts)}`, () => {
      const { _aws, ...members } = metricsOf(event, facts, 7);
      assert.deepEqual(members, values);
      const [name = ''] = Object.keys(values);
      const { Timestamp, CloudWatchMetrics } = Object(_aws);
      assert.equal(Timestamp, 7);
      assert.equal(CloudWatchMetrics[0].Namespace, 'MediaGeneration');
      assert.equal(CloudWatchMetrics[0].Metrics[0].Name, name);
      assert.deepEqual(CloudWatchMetrics[0].Dimensions, dimensions);
    });

  test('a completed task counts, tells its time and bills its seconds', () => {
    const facts = { model: 'm', seconds: 8, generationSeconds: 61.2 };
    const { _aws, ...members } = metricsOf('task completed', facts, 0);
    assert.deepEqual(members, { TasksCompleted: 1, GenerationTime: 61.2, SecondsBilled: 8 });
  });

  test('an event that is not in the table becomes none, nor does a figure that is missing', () => {
    assert.deepEqual(metricsOf('overtaken', {}, 0), {});
    assert.deepEqual(metricsOf('task submitted', {}, 0), {});
  });
});

test('every event of the table is written somewhere', () => {
  const sources = globSync('**/*.ts', { cwd: FUNCTIONS })
    .filter((file) => file !== join('runtime', 'metrics.ts'))
    .map((file) => readFileSync(join(FUNCTIONS, file), 'utf8'))
    .join('\n');
  const written = new Set(
    Array.from(sources.matchAll(/logger\.(?:info|error)\(\s*'([^']+)'/g), ([, event]) => event),
  );
  assert.deepEqual(
    Object.keys(METRICS).filter((event) => !written.has(event)),
    [],
  );
});
