import assert from 'node:assert/strict';
import { SourceMap } from 'node:module';
import { describe, test } from 'node:test';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import type { LogEvent, LogFields } from '../../../../functions/platform/domain/log-events.ts';
import {
  jsonLogger,
  toMetrics,
  toSourceFrame,
  withLogFields,
} from '../../../../functions/platform/runtime/logger.ts';
import { UpstreamError } from '../../../../functions/upstream/domain/faults.ts';

const TIME = Date.UTC(2026, 0, 2);

const recorded = () => {
  const lines: string[] = [];
  return { lines, logger: jsonLogger({ write: (line) => void lines.push(line), now: () => TIME }) };
};

const onlyLine = (lines: readonly string[]): Record<string, unknown> => {
  assert.equal(lines.length, 1);
  return JSON.parse(lines[0] ?? '');
};

describe('jsonLogger', () => {
  test('writes one line of JSON per event, with level, time and fields', () => {
    const { lines, logger } = recorded();
    logger.info('check failed', { taskId: 'task_1', fault: 'busy', httpStatus: undefined });
    assert.deepEqual(onlyLine(lines), {
      level: 'INFO',
      message: 'check failed',
      timestamp: '2026-01-02T00:00:00.000Z',
      service: 'MediaGeneration',
      taskId: 'task_1',
      fault: 'busy',
    });
  });

  test('adds the fields of the surrounding scope to every line, and keeps concurrent scopes apart', async () => {
    const { lines, logger } = recorded();
    const work = (requestId: string) =>
      withLogFields({ requestId }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        withLogFields({ account: `of ${requestId}` }, () => logger.info('request failed', {}));
      });
    await Promise.all([work('a'), work('b')]);
    const seen = lines.map((line) => JSON.parse(line)).map(({ requestId, account }) => [requestId, account]);
    assert.deepEqual(seen.toSorted(), [
      ['a', 'of a'],
      ['b', 'of b'],
    ]);
  });

  test('adds the trace id of the invocation', () => {
    const { lines, logger } = recorded();
    process.env._X_AMZN_TRACE_ID = 'Root=1-abc-def;Parent=1;Sampled=1';
    logger.info('request failed', {});
    delete process.env._X_AMZN_TRACE_ID;
    assert.equal(onlyLine(lines).trace, '1-abc-def');
  });
});

const SECRET = 'a walrus at\n    at dawn (secret.ts:1:1)\nsings';

const jsonError = (): unknown => {
  try {
    return JSON.parse(`{"prompt": walrus`);
  } catch (error) {
    return error;
  }
};

const awsError = Object.assign(new Error(SECRET), {
  name: 'ValidationException',
  $fault: 'client',
  $metadata: { httpStatusCode: 400, requestId: 'R1' },
  $response: { body: SECRET },
  Item: { prompt: { S: SECRET } },
});

const named = (name: string, error: Error): Error => Object.assign(error, { name });

const ERRORS: readonly (readonly [title: string, error: unknown, expected: Record<string, unknown>])[] = [
  [
    'an upstream rejection that quotes the prompt',
    new UpstreamError('rejected', SECRET, { httpStatus: 400 }),
    { name: 'UpstreamError', fault: 'rejected', httpStatus: 400 },
  ],
  [
    'an AWS exception with its request',
    awsError,
    { name: 'ValidationException', httpStatus: 400, awsRequestId: 'R1' },
  ],
  ['a JSON syntax error', jsonError(), { name: 'SyntaxError' }],
  ['a header that cannot be sent', new TypeError(SECRET), { name: 'TypeError' }],
  [
    'a domain error with a cause',
    new DomainError('internal', SECRET, { cause: named('Odd', new Error(SECRET)) }),
    { name: 'DomainError', code: 'internal' },
  ],
  ['a thrown string', SECRET, { name: 'string' }],
];

describe('a logged error', () => {
  for (const [title, error, expected] of ERRORS)
    test(`includes only name, codes and stack of ${title}`, () => {
      const { lines, logger } = recorded();
      logger.error('request failed', error, { requestId: 'r' });
      const line = onlyLine(lines);
      assert.doesNotMatch(lines.join(), /walrus|dawn|sings/);
      assert.deepEqual([line.level, line.requestId], ['ERROR', 'r']);
      const { stack, cause, ...rest } = Object(line.error);
      assert.deepEqual(rest, expected);
      if (error instanceof Error) assert.match(stack[0], /^at .*:\d+:\d+\)?$/);
    });

  test('keeps the message of our own plain errors', () => {
    const { lines, logger } = recorded();
    logger.error('request failed', new Error('task task_1 has no operation to check'), {});
    assert.equal(Object(onlyLine(lines).error).message, 'task task_1 has no operation to check');
  });

  test('includes the code of its cause', () => {
    const { lines, logger } = recorded();
    const reset = Object.assign(new Error('read'), { code: 'ECONNRESET' });
    const error = new UpstreamError('unanswered', 'm', { cause: new TypeError('f', { cause: reset }) });
    logger.error('request failed', error, {});
    assert.equal(Object(onlyLine(lines).error).cause.cause.code, 'ECONNRESET');
  });

  test('has at most three causes', () => {
    const { lines, logger } = recorded();
    const deep = [4, 3, 2, 1].reduce(
      (cause, level) => new Error(`level ${level}`, { cause }),
      new Error('level 5'),
    );
    logger.error('request failed', deep, {});
    assert.deepEqual(lines.join().match(/level \d/g), ['level 1', 'level 2', 'level 3', 'level 4']);
  });
});

type Case = readonly [
  event: LogEvent,
  fields: LogFields,
  values: Record<string, number>,
  dimensions: string[][],
];
const CASES: readonly Case[] = [
  ['task created', { model: 'm' }, { TasksCreated: 1 }, [['service'], ['service', 'model']]],
  ['task submitted', { queueSeconds: 1.5 }, { QueueWait: 1.5, TasksSubmitted: 1 }, [['service']]],
  [
    'task failed',
    { model: 'm', code: 'internal' },
    { TasksFailed: 1 },
    [['service'], ['service', 'code'], ['service', 'model', 'code']],
  ],
  [
    'task completed',
    { model: 'm', seconds: 8, generationSeconds: 61.2, completionSeconds: 0 },
    { TasksCompleted: 1, GenerationTime: 61.2, CompletionDelay: 0, SecondsBilled: 8 },
    [['service'], ['service', 'model']],
  ],
  ['request', { serverError: true }, { ServerErrors: 1 }, [['service']]],
  ['swept', { requeued: 2, left: 0 }, { SweeperRepairs: 2 }, [['service']]],
  ['swept', { requeued: 0, left: 3 }, { SweeperBacklog: 3 }, [['service']]],
  ['task submitted', { queueSeconds: 0 }, { QueueWait: 0, TasksSubmitted: 1 }, [['service']]],
  // CloudWatch rejects all metrics of a line that lacks one of its dimensions.
  ['task created', {}, { TasksCreated: 1 }, [['service']]],
];

describe('a stack frame of a bundle', () => {
  const URL = 'file:///var/task/index.mjs';
  // The first position of the bundle is line 4, column 3 of the source.
  const map = new SourceMap({
    file: 'index.mjs',
    version: 3,
    sources: ['../../functions/videos/get-video.ts'],
    sourcesContent: [],
    names: [],
    mappings: 'AAGE',
    sourceRoot: '',
  });
  const FRAMES: readonly (readonly [frame: string, expected: string])[] = [
    [`at async a (${URL}:1:1)`, 'at async a (functions/videos/get-video.ts:4:3)'],
    [`at ${URL}:1:1`, 'at functions/videos/get-video.ts:4:3'],
    ['at b (node:internal/process:7:9)', 'at b (node:internal/process:7:9)'],
    ['at c (file:///var/task/other.mjs:1:1)', 'at c (file:///var/task/other.mjs:1:1)'],
  ];
  for (const [frame, expected] of FRAMES)
    test(`is logged as ${expected}`, () => {
      assert.equal(toSourceFrame(frame, URL, map), expected);
    });

  test('without a source is logged as it is', () => {
    const empty = { findOrigin: () => ({}) };
    assert.equal(toSourceFrame(`at a (${URL}:9:9)`, URL, empty), `at a (${URL}:9:9)`);
  });
});

describe('metrics', () => {
  for (const [event, fields, values, dimensions] of CASES)
    test(`are written for ${event} with ${JSON.stringify(fields)}`, () => {
      const { _aws, ...members } = toMetrics(event, fields, 7);
      assert.deepEqual(members, values);
      const [name = ''] = Object.keys(values);
      const { Timestamp, CloudWatchMetrics } = Object(_aws);
      assert.equal(Timestamp, 7);
      assert.equal(CloudWatchMetrics[0].Namespace, 'MediaGeneration');
      const unit = name === 'QueueWait' ? 'Seconds' : 'Count';
      assert.deepEqual(CloudWatchMetrics[0].Metrics, [{ Name: name, Unit: unit }]);
      assert.deepEqual(CloudWatchMetrics[0].Dimensions, dimensions);
    });

  test('are not written for other events, or for a missing value', () => {
    assert.deepEqual(toMetrics('step already written', {}, 0), {});
    assert.deepEqual(toMetrics('swept', {}, 0), {});
  });

  test('are not written for a count of 0, since CloudWatch charges for every hour with a value', () => {
    assert.deepEqual(toMetrics('request', { serverError: false }, 0), {});
    assert.deepEqual(toMetrics('swept', { requeued: 0, left: 0 }, 0), {});
  });
});
