import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandInput,
  SetAlarmStateCommand,
  type SetAlarmStateCommandInput,
} from '@aws-sdk/client-cloudwatch';
import { errorName, MISSING_TOPIC_ARN, sharedEmulators, TOPIC_ARN } from './emulated.ts';

const { clients } = await sharedEmulators();
const { cloudWatch } = clients;

const describeAlarms = async (input: DescribeAlarmsCommandInput) => {
  const found = await cloudWatch.send(new DescribeAlarmsCommand(input));
  const both = [...(found.MetricAlarms ?? []), ...(found.CompositeAlarms ?? [])];
  return { ...found, alarms: both, names: both.map(({ AlarmName }) => AlarmName) };
};
const setState = (AlarmName: string, StateValue: 'ALARM' | 'OK' | 'INSUFFICIENT_DATA', StateReason = 'why') =>
  cloudWatch.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason }));
const executedActions = async (AlarmName: string, AlarmTypes?: ('CompositeAlarm' | 'MetricAlarm')[]) => {
  const input = { AlarmName, AlarmTypes, HistoryItemType: 'Action', ScanBy: 'TimestampDescending' } as const;
  return (await cloudWatch.send(new DescribeAlarmHistoryCommand(input))).AlarmHistoryItems ?? [];
};

describe('the alarms of a stack', () => {
  test('are listed with their properties and their state, without composite alarms unless asked for', async () => {
    const { names, alarms } = await describeAlarms({});
    assert.deepEqual(names, ['Errors', 'Unheard', 'Muted', 'Hour', 'Now']);
    const { AlarmArn, StateValue, Threshold, ActionsEnabled, AlarmActions } = Object(alarms[0]);
    assert.deepEqual(
      [AlarmArn, StateValue, Threshold, ActionsEnabled, AlarmActions],
      ['arn:aws:cloudwatch:eu-west-1:123456789012:alarm:Errors', 'INSUFFICIENT_DATA', 5, true, [TOPIC_ARN]],
    );
    assert.deepEqual((await describeAlarms({ AlarmTypes: ['CompositeAlarm'] })).names, ['Both']);
  });

  test('are found by name and action, page by page', async () => {
    assert.deepEqual((await describeAlarms({ AlarmNames: ['Now', 'Nothing'] })).names, ['Now']);
    assert.deepEqual((await describeAlarms({ ActionPrefix: MISSING_TOPIC_ARN })).names, ['Unheard']);
    const { NextToken = assert.fail('no second page') } = await describeAlarms({ MaxRecords: 4 });
    assert.deepEqual((await describeAlarms({ MaxRecords: 4, NextToken })).names, ['Now']);
  });
});

describe('SetAlarmState', () => {
  test('changes the state and executes the actions of the new one, newest first in the history', async () => {
    await setState('Errors', 'ALARM', 'a test');
    const { alarms } = await describeAlarms({ AlarmNames: ['Errors'] });
    assert.deepEqual([alarms[0]?.StateValue, alarms[0]?.StateReason], ['ALARM', 'a test']);
    // The same state again executes nothing, and INSUFFICIENT_DATA has no action.
    await setState('Errors', 'ALARM', 'another');
    await setState('Errors', 'INSUFFICIENT_DATA');
    const [action, ...others] = await executedActions('Errors');
    assert.deepEqual([action?.HistorySummary, others], [`Successfully executed action ${TOPIC_ARN}`, []]);
    assert.ok(Math.abs((action?.Timestamp?.getTime() ?? 0) - Date.now()) < 60_000);
    await setState('Both', 'ALARM');
    // Without a type, the history has only metric alarms.
    assert.deepEqual(await executedActions('Both'), []);
    assert.equal((await executedActions('Both', ['CompositeAlarm'])).length, 1);
  });

  const given = { AlarmName: 'Now', StateValue: 'OK', StateReason: 'why' } as const;
  for (const [title, input, name] of [
    ['an unknown alarm', { ...given, AlarmName: 'Nothing' }, 'ResourceNotFound'],
    [
      'an unknown state',
      JSON.parse('{"AlarmName":"Now","StateReason":"why","StateValue":"BROKEN"}'),
      'ValidationException',
    ],
    ['a missing reason', { ...given, StateReason: undefined }, 'ValidationException'],
    ['a reason of 1,024 characters', { ...given, StateReason: 'x'.repeat(1024) }, 'ValidationException'],
  ] satisfies [string, SetAlarmStateCommandInput, string][])
    test(`refuses ${title}`, async () => {
      assert.equal(await errorName(cloudWatch.send(new SetAlarmStateCommand(input))), name);
    });
});
