import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as z from 'zod';
import { METRICS } from '../../../functions/platform/runtime/logger.ts';
import { CONFIDANT, drive } from './confided.ts';
import { service } from './service.ts';

const lineSchema = z.looseObject({
  level: z.enum(['INFO', 'ERROR']),
  message: z.string(),
  timestamp: z.iso.datetime(),
  service: z.literal('MediaGeneration'),
  trace: z.string(),
  _aws: z
    .object({
      CloudWatchMetrics: z.array(
        z.object({
          Namespace: z.literal('MediaGeneration'),
          Dimensions: z.array(z.array(z.string())),
          Metrics: z.array(z.object({ Name: z.string(), Unit: z.string() })),
        }),
      ),
    })
    .optional(),
});
type Line = z.infer<typeof lineSchema>;

/** Metrics that nothing here causes; unit tests do. */
const UNSEEN: readonly string[] = [
  'SweeperFailures',
  'SweeperBacklog',
  'UnreadableItems',
  // The roles of the template allow every call.
  'DeniedCalls',
  // A single upstream without limits neither pauses for all workers nor has a line.
  'UpstreamPauses',
  'TasksInLine',
];

describe('a service that has seen success, failure, refusals and faults', () => {
  let secrets: ReadonlyMap<string, string>;
  let all: readonly Line[];
  /** The lines of the account with the secrets, and those without an account since its first request. */
  let own: readonly Line[];
  const findLines = (event: string): readonly Line[] => own.filter(({ message }) => message === event);

  // Each line is a JSON object with level, time, service and trace.
  before(async () => {
    const started = Date.now();
    secrets = await drive();
    all = service.logs().map((line) => lineSchema.parse(JSON.parse(line)));
    own = all.filter(
      ({ timestamp, account = CONFIDANT }) => Date.parse(timestamp) >= started && account === CONFIDANT,
    );
  });

  test('has written none of what it was told in confidence', () => {
    const output = [...service.logs(), ...service.printed()];
    const leaks = Array.from(secrets).flatMap(([name, secret]) =>
      output.filter((line) => line.includes(secret)).map((line) => `${name}: ${line}`),
    );
    assert.ok(service.logs().length > 100 && service.printed().length > 50);
    assert.deepEqual(leaks, []);
  });

  test('names request and account on what a request brings about', () => {
    const unknown: unknown[] = ['invalid_api_key', 'not_found'];
    for (const event of ['request', 'task created', 'image made', 'request failed', 'step not queued'])
      for (const line of findLines(event).filter(({ code }) => !unknown.includes(code)))
        assert.deepEqual([typeof line.requestId, line.account], ['string', CONFIDANT], event);
  });

  test('names the task on what a message brings about', () => {
    for (const event of ['task submitted', 'task completed', 'task failed', 'upstream needs the operator'])
      assert.ok(
        findLines(event).some(({ taskId }) => String(taskId).startsWith('task_')),
        event,
      );
  });

  test('tells each fault by its kind and place', () => {
    const faults = ['request failed', 'step not queued', 'image charge not recorded', 'message failed'];
    for (const event of faults) {
      const [{ error } = assert.fail(event)] = findLines(event);
      const { name, stack } = z.object({ name: z.string(), stack: z.array(z.string()) }).parse(error);
      assert.ok(name.length > 0, event);
      assert.ok(
        stack.some((frame) => /[ (]functions\/.+\.ts:\d+:\d+\)?$/.test(frame)),
        `${event}: ${stack}`,
      );
    }
  });

  test('has written every metric, each with the dimensions and the figure that it names', () => {
    const seen = new Set<string>();
    for (const line of all)
      for (const { Dimensions, Metrics } of line._aws?.CloudWatchMetrics ?? []) {
        for (const name of Dimensions.flat()) assert.equal(typeof line[name], 'string', name);
        for (const { Name } of Metrics) {
          assert.equal(typeof line[Name], 'number', Name);
          seen.add(Name);
        }
      }
    const names = Object.values(METRICS).flatMap((rows) => rows.map(({ name }): string => name));
    const unseen = names.filter((name) => !seen.has(name) && !UNSEEN.includes(name));
    assert.deepEqual(unseen, []);
    for (const name of seen) assert.ok(names.includes(name), name);
  });

  test('has measured latencies that can be true', () => {
    const upstream = [...findLines('upstream answered'), ...findLines('upstream call failed')];
    const requests = findLines('request').map(({ milliseconds }) => Number(milliseconds));
    const all = [...requests, ...upstream.map(({ UpstreamLatency }) => Number(UpstreamLatency))];
    assert.ok(requests.length > 10 && upstream.length > 10);
    for (const milliseconds of all) assert.ok(milliseconds >= 0 && milliseconds < 60_000, `${milliseconds}`);
    // One image took a second at the upstream, so its call and its request took no less.
    assert.ok(
      upstream.some(({ call, UpstreamLatency }) => call === 'image' && Number(UpstreamLatency) >= 1000),
    );
    assert.ok(requests.some((milliseconds) => milliseconds >= 1000));
    assert.ok(requests.some((milliseconds) => milliseconds < 1000));
    for (const { QueueWait } of findLines('task submitted'))
      assert.ok(Number(QueueWait) > 0 && Number(QueueWait) < 60, `${QueueWait} s in the queue`);
    for (const { GenerationTime, CompletionDelay } of findLines('task completed')) {
      assert.ok(Number(GenerationTime) >= 1 && Number(GenerationTime) < 120, `${GenerationTime} s`);
      assert.ok(
        Number(CompletionDelay) > 0 && Number(CompletionDelay) < Number(GenerationTime),
        `${CompletionDelay} s`,
      );
    }
  });

  test('counts each completed video and its four seconds, and each failure by its code', () => {
    const completed = findLines('task completed');
    assert.equal(completed.length, 2);
    for (const { SecondsBilled, TasksCompleted, GenerationTime } of completed) {
      assert.deepEqual([SecondsBilled, TasksCompleted], [4, 1]);
      assert.ok(Number(GenerationTime) > 0);
    }
    const codes = findLines('task failed').map(({ code }) => code);
    for (const code of ['upstream_rejected', 'content_blocked', 'upstream_unavailable'])
      assert.ok(codes.includes(code), code);
  });
});
