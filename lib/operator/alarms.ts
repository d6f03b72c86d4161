import { setTimeout as pause } from 'node:timers/promises';
import {
  type AlarmHistoryItem,
  CloudWatchClient,
  type CompositeAlarm,
  DescribeAlarmHistoryCommand,
  type DescribeAlarmsCommandInput,
  type MetricAlarm,
  paginateDescribeAlarms,
  SetAlarmStateCommand,
  type StateValue,
} from '@aws-sdk/client-cloudwatch';
import { type OperatedStack, OperatorError, stackOutput } from './operated-stack.ts';

/** CloudWatch leaves out composite alarms unless the request names their type. */
const ALL_TYPES = ['CompositeAlarm' as const, 'MetricAlarm' as const];

const REASON = 'This is a test by npm run alarms: nothing is wrong.';
const RESTORED = 'The test by npm run alarms has ended.';

export type NotifyingAlarm = { readonly name: string; readonly state: StateValue };

type AlarmResult = { readonly text: string; readonly isProblem: boolean };

type Waiting = {
  readonly pollMilliseconds: number;
  readonly longestMilliseconds: number;
  /** Ends the test; the alarm in hand is set back. */
  readonly signal: AbortSignal;
};
export const WAITING = { pollMilliseconds: 1000, longestMilliseconds: 60_000 } as const;

export const alarmTester = (stack: OperatedStack) => {
  const client = new CloudWatchClient(stack.clientConfig);
  const topic = stackOutput(stack, 'AlarmTopicArn');

  const setState = async (AlarmName: string, StateValue: StateValue, StateReason: string): Promise<void> => {
    await client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason }));
  };

  /** The latest actions, newest first. */
  const readActions = async (AlarmName: string): Promise<readonly AlarmHistoryItem[]> => {
    const command = new DescribeAlarmHistoryCommand({
      AlarmName,
      AlarmTypes: ALL_TYPES,
      HistoryItemType: 'Action',
      ScanBy: 'TimestampDescending',
      MaxRecords: 10,
    });
    return (await client.send(command)).AlarmHistoryItems ?? [];
  };

  /** Compares with the last action before the test, since the clocks of both sides may differ. */
  const waitForAction = async (name: string, before: number, waiting: Waiting): Promise<AlarmResult> => {
    const { pollMilliseconds, longestMilliseconds, signal } = waiting;
    for (let waited = 0; waited <= longestMilliseconds; waited += pollMilliseconds) {
      // The first one: CloudWatch may have evaluated the alarm meanwhile, and have notified that it is OK.
      const action = (await readActions(name)).findLast((each) => toTime(each) > before);
      if (action !== undefined) return toResult(action);
      if (signal.aborted) return { text: 'interrupted', isProblem: true };
      await pause(pollMilliseconds, undefined, { signal }).catch(() => {});
    }
    return { text: `no notification within ${longestMilliseconds / 1000} seconds`, isProblem: true };
  };

  const raise = async (name: string, waiting: Waiting): Promise<AlarmResult> => {
    const before = toTime((await readActions(name))[0]);
    await setState(name, 'ALARM', REASON);
    return waitForAction(name, before, waiting);
  };

  const describe = async (input: Omit<DescribeAlarmsCommandInput, 'AlarmTypes'>) => {
    const found: (MetricAlarm | CompositeAlarm)[] = [];
    for await (const page of paginateDescribeAlarms({ client }, { ...input, AlarmTypes: ALL_TYPES }))
      found.push(...(page.MetricAlarms ?? []), ...(page.CompositeAlarms ?? []));
    return found;
  };

  /** CloudWatch evaluates metric alarms again by itself, but composite alarms only when one of their parts changes. */
  const restore = async (name: string, state: StateValue): Promise<void> => {
    const [current] = await describe({ AlarmNames: [name] });
    if (current?.StateReason === REASON) await setState(name, state, RESTORED);
  };

  return {
    topic,
    /** The alarms that notify the topic of the stack, by name. */
    async list(): Promise<readonly NotifyingAlarm[]> {
      // The parts of a composite alarm notify nobody.
      const found = await describe({ ActionPrefix: topic });
      if (found.length === 0) throw new OperatorError(`No alarm notifies ${topic}.`);
      return found
        .filter(({ AlarmActions = [] }) => AlarmActions.includes(topic))
        .map(({ AlarmName: name = '', StateValue: state = 'INSUFFICIENT_DATA' }) => ({ name, state }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    async test(name: string, waiting: Waiting): Promise<AlarmResult> {
      // Its state may have changed since it was listed, and only a change of state notifies.
      const [current] = await describe({ AlarmNames: [name] });
      const { StateValue: state = 'INSUFFICIENT_DATA', ActionsEnabled: isEnabled = true } = current ?? {};
      if (current === undefined) return { text: 'it does not exist any more', isProblem: true };
      if (!isEnabled) return { text: 'its actions are disabled', isProblem: true };
      if (state === 'ALARM') return { text: 'not tested, because it is raised', isProblem: false };
      const result = await raise(name, waiting).catch(toProblem);
      // Also after a failed call, because only its response may have been lost.
      const left = await restore(name, state).then(() => undefined, toProblem);
      if (left === undefined) return result;
      return { text: `${result.text}; it may still be raised: ${left.text}`, isProblem: true };
    },
  };
};

const toTime = (item: AlarmHistoryItem | undefined): number => item?.Timestamp?.getTime() ?? 0;

const toResult = ({ HistorySummary = '' }: AlarmHistoryItem): AlarmResult =>
  HistorySummary.startsWith('Successfully')
    ? { text: 'notified', isProblem: false }
    : { text: HistorySummary, isProblem: true };

const toProblem = (error: unknown): AlarmResult => ({
  text: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown problem',
  isProblem: true,
});
