import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { until } from '../../../support/until.ts';
import { openFixture, runFixture } from '../fixture/open-fixture.ts';

const responseSchema = z.object({ body: z.string() });
const errorSchema = z.object({ errorType: z.string(), errorMessage: z.string() });

const running = await runFixture();

describe('a function', () => {
  const ask = async (functionName: string, action: string) => {
    const result = await running.cloud.invoke(functionName, {
      queryStringParameters: { do: action },
      body: null,
    });
    assert.ok('payload' in result);
    return { type: result.type, requestId: result.requestId, payload: JSON.parse(result.payload) };
  };
  const answer = async (functionName: string, action: string) =>
    JSON.parse(responseSchema.parse((await ask(functionName, action)).payload).body);
  const failure = async (functionName: string, action: string) => {
    const { type, requestId, payload } = await ask(functionName, action);
    assert.equal(type, 'function-error');
    return { requestId, ...errorSchema.parse(payload) };
  };

  it('sees the variables of the template and of Lambda, but none of the host', async () => {
    const environment = z.record(z.string(), z.string()).parse(await answer('Probe', 'environment'));
    assert.equal(environment.TABLE, running.cloud.tableName('Things'));
    assert.equal(environment.BUCKET, running.cloud.bucketName('Media'));
    assert.equal(environment.QUEUE, running.cloud.queueUrl('Work'));
    assert.match(environment.SECRET ?? '', /^arn:aws:secretsmanager:/);
    assert.equal(environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE, '256');
    const known =
      /^(AWS_.*|LAMBDA_TASK_ROOT|LANG|PATH|TZ|_HANDLER|_X_AMZN_TRACE_ID|TABLE|BUCKET|QUEUE|SECRET|ALLOW_LOOPBACK)$/;
    const unknown = Object.keys(environment).filter((name) => !known.test(name));
    assert.deepEqual(unknown, []);
  });

  it("receives Lambda's context", async () => {
    const context = await answer('Probe', 'context');
    assert.match(context.awsRequestId, /^[\w-]{36}$/);
    assert.match(context.invokedFunctionArn, /^arn:aws:lambda:us-east-1:000000000000:function:Fixture-Probe/);
    assert.equal(context.memoryLimitInMB, '256');
    assert.ok(context.remaining > 0 && context.remaining <= 20_000);
  });

  it('is started on first use, reused when idle, and started again when busy for long', async () => {
    const first = await answer('Probe', 'pid');
    assert.ok(running.cloud.functionProcesses()[running.cloud.functionId('Probe')]?.includes(first));
    assert.equal(await answer('Probe', 'pid'), first);
    const pids = await Promise.all([1, 2, 3].map(() => answer('Probe', 'slowly')));
    assert.equal(new Set(pids).size, 3);
    assert.ok(pids.includes(first));
  });

  it('reports its errors', async () => {
    const { errorType, errorMessage } = await failure('Probe', 'throw');
    assert.deepEqual([errorType, errorMessage], ['TypeError', 'thrown by the probe']);
  });

  it('reports a crash, and a new process handles the next event', async () => {
    const before = await answer('Probe', 'pid');
    const { requestId, errorType, errorMessage } = await failure('Probe', 'crash');
    assert.equal(errorType, 'Runtime.ExitError');
    assert.equal(errorMessage, `RequestId: ${requestId} Error: Runtime exited with error: exit status 3`);
    assert.notEqual(await answer('Probe', 'pid'), before);
  });

  it('is killed at its timeout', async () => {
    const { requestId, errorType, errorMessage } = await failure('Hasty', 'hang');
    assert.equal(errorType, 'Sandbox.Timedout');
    assert.equal(errorMessage, `RequestId: ${requestId} Error: Task timed out after 1.00 seconds`);
  });

  it('can be killed while idle without affecting the next event', async () => {
    const pids = await Promise.all([1, 2, 3].map(() => answer('Probe', 'pid')));
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    // At once, before the host has noticed.
    assert.ok(!pids.includes(await answer('Probe', 'pid')));
  });

  it('is not invoked again when it is killed while handling an event', async () => {
    const pid = await answer('Probe', 'pid');
    const invoked = () => running.lines.filter(({ line }) => line === `waiting in ${pid}`).length;
    const waiting = failure('Probe', 'wait');
    await until(() => invoked() > 0);
    process.kill(pid, 'SIGKILL');
    const { errorType, errorMessage } = await waiting;
    assert.deepEqual(
      [errorType, errorMessage.replace(/^RequestId: \S+ /, '')],
      ['Runtime.ExitError', 'Error: Runtime exited with error: signal: SIGKILL'],
    );
  });

  it('has a record of each invocation', async () => {
    const { requestId } = await ask('Probe', 'event');
    const record = running.cloud.invocations().find((candidate) => candidate.requestId === requestId);
    assert.equal(record?.functionId, running.cloud.functionId('Probe'));
    assert.equal(record?.outcome, 'ok');
    assert.ok((record?.billedMilliseconds ?? 0) >= (record?.milliseconds ?? 1));
    assert.ok((record?.maxMemoryMegabytes ?? 0) > 10);
  });

  it('passes its log lines to the host', async () => {
    await answer('Probe', 'log');
    await until(() => running.lines.some(({ line }) => line === 'a line of the probe'));
  });
});

describe('a function whose code cannot be loaded', () => {
  it('fails with 502, and its log says why', async () => {
    const lines: string[] = [];
    const { start } = await openFixture();
    const cloud = await start({
      loadCode: () => Promise.reject(new Error('unexpected token')),
      onFunctionLog: ({ line }) => lines.push(line),
    });
    assert.equal((await fetch(`${cloud.baseUrl}/probe`)).status, 502);
    assert.deepEqual(lines, ['The code cannot be loaded: Error: unexpected token']);
  });
});
