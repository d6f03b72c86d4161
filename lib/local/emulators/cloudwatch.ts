import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { hasCode } from '../errors.ts';
import { AwsError, type JsonOperation, jsonService, type Service } from './aws-http/service.ts';
import { alarmTypes, DeployedAlarms, type Home } from './messages.ts';

const STATES = ['INSUFFICIENT_DATA', 'ALARM', 'OK'] as const;
type AlarmState = (typeof STATES)[number];

const storedSchema = DeployedAlarms.unwrap().extend({
  /** By name, of alarms that have been set. */
  states: z
    .record(z.string(), z.object({ state: z.enum(STATES), reason: z.string(), updated: z.number() }))
    .default({}),
});
type Stored = z.infer<typeof storedSchema>;
type Alarm = Stored['alarms'][number];

/** CloudWatch has the codes of its older protocol, which clients read from this header. */
const failure = (code: string, message: string): AwsError =>
  new AwsError(400, code, message, { headers: { 'x-amzn-query-error': `${code};Sender` } });

const MaxRecords = z.int().min(1).max(100).default(50);
// As in CloudWatch, composite alarms are left out unless the request names their type.
const AlarmTypes = z.array(z.enum(alarmTypes)).default(['MetricAlarm']);
const inputs = {
  DescribeAlarms: z.strictObject({
    AlarmNames: z.array(z.string()).max(100).optional(),
    AlarmTypes,
    ActionPrefix: z.string().min(1).max(1024).optional(),
    MaxRecords,
    NextToken: z
      .string()
      .regex(/^\d{1,9}$/)
      .default('0'),
  }),
  DescribeAlarmHistory: z.strictObject({
    AlarmName: z.string().min(1).max(255),
    AlarmTypes,
    HistoryItemType: z.literal('Action'),
    ScanBy: z.literal('TimestampDescending'),
    MaxRecords,
  }),
  SetAlarmState: z.strictObject({
    AlarmName: z.string().min(1).max(255),
    StateValue: z.enum(STATES),
    StateReason: z.string().max(1023),
  }),
};

const parse = <Shape extends z.ZodType>(schema: Shape, input: unknown): z.infer<Shape> => {
  const { data, error } = schema.safeParse(input);
  if (error === undefined) return data;
  throw failure('ValidationError', `Validation errors detected: ${z.prettifyError(error)}`);
};

const ACTIONS = { ALARM: 'AlarmActions', OK: 'OKActions', INSUFFICIENT_DATA: 'InsufficientDataActions' };

const actionsFor = ({ properties }: Alarm, state: AlarmState): string[] =>
  z.array(z.string()).default([]).parse(properties[ACTIONS[state]]);

const read = (file: string): Stored => {
  try {
    return storedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return { alarms: [], topics: [], states: {} };
  }
};

const operations = (file: string, alarmArn: (name: string) => string, deployed?: DeployedAlarms) => {
  const started = Date.now();
  const earlier = read(file);
  // An operator command opens the data of a stack that is deployed already.
  const { alarms, topics, states } = { ...earlier, ...deployed };
  const save = () => {
    // A process that is killed while it writes leaves the earlier file.
    writeFileSync(`${file}.new`, JSON.stringify({ alarms, topics, states }));
    renameSync(`${file}.new`, file);
  };
  save();
  const executed: { alarm: Alarm; time: number; summary: string }[] = [];

  const readState = ({ name }: Alarm) =>
    states[name] ?? {
      state: 'INSUFFICIENT_DATA',
      reason: 'Unchecked: Initial alarm creation',
      updated: started,
    };
  const describe = (alarm: Alarm) => {
    const { state, reason, updated } = readState(alarm);
    return {
      ActionsEnabled: true,
      ...alarm.properties,
      AlarmName: alarm.name,
      AlarmArn: alarmArn(alarm.name),
      StateValue: state,
      StateReason: reason,
      StateUpdatedTimestamp: updated / 1000,
    };
  };
  const execute = (alarm: Alarm, action: string): void => {
    const summary = topics.includes(action) ? 'Successfully executed action' : 'Failed to execute action';
    executed.unshift({ alarm, time: Date.now(), summary: `${summary} ${action}` });
  };

  return {
    DescribeAlarms(input) {
      const { AlarmNames, AlarmTypes, ActionPrefix, ...page } = parse(inputs.DescribeAlarms, input);
      const found = alarms
        .filter(({ name, type }) => (AlarmNames?.includes(name) ?? true) && AlarmTypes.includes(type))
        .filter(
          (alarm) =>
            ActionPrefix === undefined ||
            STATES.flatMap((state) => actionsFor(alarm, state)).some((arn) => arn.startsWith(ActionPrefix)),
        );
      const start = Number(page.NextToken);
      const end = start + page.MaxRecords;
      const ofType = (wanted: Alarm['type']) =>
        found
          .slice(start, end)
          .filter(({ type }) => type === wanted)
          .map(describe);
      const next = end < found.length ? { NextToken: String(end) } : {};
      return { MetricAlarms: ofType('MetricAlarm'), CompositeAlarms: ofType('CompositeAlarm'), ...next };
    },
    DescribeAlarmHistory(input) {
      const { AlarmName, AlarmTypes, MaxRecords } = parse(inputs.DescribeAlarmHistory, input);
      const AlarmHistoryItems = executed
        .filter(({ alarm }) => alarm.name === AlarmName && AlarmTypes.includes(alarm.type))
        .slice(0, MaxRecords)
        .map(({ alarm, time, summary }) => ({
          AlarmName,
          AlarmType: alarm.type,
          Timestamp: time / 1000,
          HistoryItemType: 'Action',
          HistorySummary: summary,
        }));
      return { AlarmHistoryItems };
    },
    SetAlarmState(input) {
      const { AlarmName, StateValue, StateReason } = parse(inputs.SetAlarmState, input);
      const alarm = alarms.find(({ name }) => name === AlarmName);
      if (alarm === undefined) throw failure('ResourceNotFound', `The alarm ${AlarmName} does not exist.`);
      const isNew = readState(alarm).state !== StateValue;
      states[AlarmName] = { state: StateValue, reason: StateReason, updated: Date.now() };
      save();
      if (isNew && alarm.properties.ActionsEnabled !== false)
        for (const action of actionsFor(alarm, StateValue)) execute(alarm, action);
    },
  } satisfies Record<keyof typeof inputs, JsonOperation>;
};

const named = z.looseObject({ AlarmName: z.string() });

/** The alarms of a stack. Metrics are not stored, so nothing raises an alarm but SetAlarmState. */
export const cloudWatch = (
  { region, accountId }: Home,
  dataDir: string,
  deployed: DeployedAlarms | undefined,
): Service => {
  const alarmArn = (name: string): string => `arn:aws:cloudwatch:${region}:${accountId}:alarm:${name}`;
  return jsonService({
    target: 'GraniteServiceVersion20100801',
    operations: new Map(Object.entries(operations(join(dataDir, 'alarms.json'), alarmArn, deployed))),
    accessedBy: (operation, input) => {
      const { data } = named.safeParse(input);
      const isSet = operation === 'SetAlarmState' && data !== undefined;
      // Composite alarms can be described only with a permission for all resources.
      return [{ action: `cloudwatch:${operation}`, resource: isSet ? alarmArn(data.AlarmName) : '*' }];
    },
    close: async () => {},
  });
};
