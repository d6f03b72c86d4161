import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { runCommand } from './run-command.ts';
import { data, openCloud } from './running-cloud.ts';

const { cloud } = await openCloud();
const client = new CloudWatchClient(cloud.clientConfig('test'));
const topic = cloud.outputs.AlarmTopicArn ?? '';

/** The notifying alarms with their states, and the states of all. */
const readAlarms = async () => {
  const types = { AlarmTypes: ['CompositeAlarm' as const, 'MetricAlarm' as const] };
  const all = (await Array.fromAsync(paginateDescribeAlarms({ client }, types))).flatMap(
    ({ MetricAlarms = [], CompositeAlarms = [] }) => [...MetricAlarms, ...CompositeAlarms],
  );
  return {
    states: all.map(({ AlarmName, StateValue }) => `${AlarmName} ${StateValue}`),
    notifying: all.filter(({ AlarmActions = [] }) => AlarmActions.length > 0),
  };
};

describe('npm run alarms -- test', () => {
  let notifying: Awaited<ReturnType<typeof readAlarms>>['notifying'];
  before(async () => {
    ({ notifying } = await readAlarms());
    assert.ok(notifying.length > 20);
  });

  const run = (...args: string[]) => runCommand('alarms', ['test', ...args, '--data', data]);
  const countChanges = async () =>
    (await cloud.calls()).filter(({ action }) => action === 'cloudwatch:SetAlarmState').length;

  for (const flags of [[], ['--dry-run'], ['--yes', '--dry-run']])
    test(`only lists the alarms ${flags.join(' ') || 'without --yes'}`, async () => {
      const changes = await countChanges();
      const { code, output, errors } = await run(...flags);
      assert.deepEqual([code, errors], [0, '']);
      const lines = output.trimEnd().split('\n');
      assert.equal(lines.length, notifying.length + 1);
      for (const { AlarmName = '' } of notifying)
        assert.match(output, new RegExp(`^${AlarmName} +INSUFFICIENT_DATA$`, 'm'));
      assert.equal(
        lines.at(-1),
        `With --yes, each of these ${notifying.length} alarms is raised once as a test and set back to its state, which notifies ${topic}.`,
      );
      assert.equal(await countChanges(), changes);
    });

  test('raises each alarm once, prints its result, and leaves all in their states', async () => {
    const { states } = await readAlarms();
    const changes = await countChanges();
    const { code, output, errors } = await run('--yes');
    assert.deepEqual([code, errors], [0, '']);
    for (const { AlarmName = '' } of notifying)
      assert.match(output, new RegExp(`^${AlarmName} +INSUFFICIENT_DATA {2}notified$`, 'm'));
    assert.match(output, new RegExp(`\n${notifying.length} of ${notifying.length} alarms notified ${topic}`));
    assert.deepEqual((await readAlarms()).states, states);
    // Once up and once back.
    assert.equal((await countChanges()) - changes, notifying.length * 2);
  });

  test('ends when it is interrupted, with exit code 1', async () => {
    const added: unknown[] = [];
    const interrupt = (name: string | symbol) => {
      added.push(name);
      if (name === 'SIGHUP') setImmediate(() => process.emit('SIGHUP'));
    };
    const listeners = process.listenerCount('SIGINT');
    const { states } = await readAlarms();
    process.on('newListener', interrupt);
    const { code, output } = await run('--yes').finally(() => process.off('newListener', interrupt));
    assert.equal(code, 1);
    for (const name of ['SIGINT', 'SIGTERM']) assert.ok(added.includes(name), name);
    assert.equal(process.listenerCount('SIGINT'), listeners);
    const [, notified] = /(\d+) of \d+ alarms notified/.exec(output) ?? [];
    assert.ok(Number(notified) < notifying.length, output);
    assert.deepEqual((await readAlarms()).states, states);
  });
});
