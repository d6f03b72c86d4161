import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DescribeAlarmsCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { alarmTester } from '../../../lib/operator/alarms.ts';
import { configFor, emulated, MISSING_TOPIC_ARN, TOPIC_ARN } from '../local/emulators/emulated.ts';

const running = await emulated();
after(() => running.end());
const { cloudWatch } = running.clients;

const clientConfig = configFor(running.emulators, 'operator');
const testerFor = (topic: string) => alarmTester({ clientConfig, outputs: { AlarmTopicArn: topic } });
const tester = testerFor(TOPIC_ARN);

const never = new AbortController().signal;
const AT_ONCE = { pollMilliseconds: 1, longestMilliseconds: 1, signal: never };

const describeAlarm = async (name: string) => {
  const command = new DescribeAlarmsCommand({
    AlarmNames: [name],
    AlarmTypes: ['CompositeAlarm', 'MetricAlarm'],
  });
  const { MetricAlarms = [], CompositeAlarms = [] } = await cloudWatch.send(command);
  return [...MetricAlarms, ...CompositeAlarms][0] ?? assert.fail(`no alarm ${name}`);
};
const setState = (AlarmName: string, StateValue: 'ALARM' | 'OK') =>
  cloudWatch.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'before the test' }));

describe('the alarms of the topic', () => {
  test('are listed with composite alarms, without their parts and without alarms of other topics', async () => {
    const alarms = ['Both', 'Errors', 'Muted'].map((name) => ({ name, state: 'INSUFFICIENT_DATA' }));
    assert.deepEqual(await tester.list(), alarms);
  });

  test('must exist', async () => {
    await assert.rejects(testerFor('arn:aws:sns:eu-west-1:123456789012:other').list(), {
      name: 'OperatorError',
      message: 'No alarm notifies arn:aws:sns:eu-west-1:123456789012:other.',
    });
  });
});

describe('the test of an alarm', () => {
  for (const name of ['Errors', 'Both'])
    test(`notifies and sets ${name} back, each time`, async () => {
      await setState(name, 'OK');
      for (const _ of [1, 2]) {
        assert.deepEqual(await tester.test(name, AT_ONCE), { text: 'notified', isProblem: false });
        const { StateValue, StateReason } = await describeAlarm(name);
        assert.deepEqual([StateValue, StateReason], ['OK', 'The test by npm run alarms has ended.']);
      }
    });

  test('reports an action that failed, and sets the alarm back', async () => {
    await setState('Unheard', 'OK');
    assert.deepEqual(await testerFor(MISSING_TOPIC_ARN).test('Unheard', AT_ONCE), {
      text: `Failed to execute action ${MISSING_TOPIC_ARN}`,
      isProblem: true,
    });
    assert.equal((await describeAlarm('Unheard')).StateValue, 'OK');
  });

  test('does not change an alarm whose actions are disabled, or that is raised', async () => {
    await setState('Errors', 'ALARM');
    const disabled = await tester.test('Muted', AT_ONCE);
    const raised = await tester.test('Errors', AT_ONCE);
    assert.deepEqual([disabled.isProblem, raised.isProblem], [true, false]);
    assert.equal((await describeAlarm('Muted')).StateValue, 'INSUFFICIENT_DATA');
    assert.equal((await describeAlarm('Errors')).StateReason, 'before the test');
  });

  // No action is recorded for this alarm, as if a notification took long.
  test('gives up after a time, and sets the alarm back', async () => {
    await setState('Hour', 'OK');
    const { text, isProblem } = await tester.test('Hour', { ...AT_ONCE, longestMilliseconds: 2 });
    assert.deepEqual([text, isProblem], ['no notification within 0.002 seconds', true]);
    assert.equal((await describeAlarm('Hour')).StateValue, 'OK');
  });

  test('sets the alarm back when it is interrupted', async () => {
    await setState('Hour', 'OK');
    const interrupted = new AbortController();
    const waiting = { pollMilliseconds: 600_000, longestMilliseconds: 600_000, signal: interrupted.signal };
    const result = tester.test('Hour', waiting);
    while ((await describeAlarm('Hour')).StateValue !== 'ALARM');
    interrupted.abort();
    assert.deepEqual(await result, { text: 'interrupted', isProblem: true });
    assert.equal((await describeAlarm('Hour')).StateValue, 'OK');
  });

  test('leaves a state that CloudWatch has evaluated since', async () => {
    await setState('Hour', 'OK');
    const interrupted = new AbortController();
    const waiting = { pollMilliseconds: 600_000, longestMilliseconds: 600_000, signal: interrupted.signal };
    const result = tester.test('Hour', waiting);
    while ((await describeAlarm('Hour')).StateReason === 'before the test');
    await setState('Hour', 'ALARM');
    interrupted.abort();
    await result;
    assert.equal((await describeAlarm('Hour')).StateReason, 'before the test');
  });

  test('reports an alarm that does not exist', async () => {
    const { text, isProblem } = await tester.test('Deleted', AT_ONCE);
    assert.deepEqual([text, isProblem], ['it does not exist any more', true]);
  });
});
