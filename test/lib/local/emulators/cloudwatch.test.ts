import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandInput,
  SetAlarmStateCommand,
  type SetAlarmStateCommandInput,
} from '@aws-sdk/client-cloudwatch';
import { errorName, MISSING_TOPIC_ARN, sharedEmulators } from './emulated.ts';

/** The test of lib/operator/alarms.ts shows how alarms change and notify. */
const { cloudWatch } = (await sharedEmulators()).clients;

test('alarms are found by type, name and action, page by page', async () => {
  const find = async (input: DescribeAlarmsCommandInput) => {
    const found = await cloudWatch.send(new DescribeAlarmsCommand(input));
    const both = [...(found.MetricAlarms ?? []), ...(found.CompositeAlarms ?? [])];
    return { NextToken: found.NextToken, names: both.map(({ AlarmName }) => AlarmName) };
  };
  assert.deepEqual((await find({})).names, ['Errors', 'Unheard', 'Muted', 'Hour', 'Now']);
  assert.deepEqual((await find({ AlarmTypes: ['CompositeAlarm'] })).names, ['Both']);
  assert.deepEqual((await find({ AlarmNames: ['Now', 'Nothing'] })).names, ['Now']);
  assert.deepEqual((await find({ ActionPrefix: MISSING_TOPIC_ARN })).names, ['Unheard']);
  const { NextToken = assert.fail('no second page') } = await find({ MaxRecords: 4 });
  assert.deepEqual((await find({ MaxRecords: 4, NextToken })).names, ['Now']);
});

const GIVEN = { AlarmName: 'Now', StateValue: 'OK', StateReason: 'why' } as const;
for (const [title, input, name] of [
  ['an unknown alarm', { ...GIVEN, AlarmName: 'Nothing' }, 'ResourceNotFound'],
  ['an unknown state', { ...GIVEN, ...JSON.parse('{"StateValue":"BROKEN"}') }, 'ValidationException'],
  ['a reason of 1,024 characters', { ...GIVEN, StateReason: 'x'.repeat(1024) }, 'ValidationException'],
] satisfies [string, SetAlarmStateCommandInput, string][])
  test(`SetAlarmState refuses ${title}`, async () => {
    assert.equal(await errorName(cloudWatch.send(new SetAlarmStateCommand(input))), name);
  });
