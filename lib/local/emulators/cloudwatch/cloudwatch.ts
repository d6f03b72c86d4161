import { join } from 'node:path';
import * as z from 'zod';
import { AwsError, type JsonOperation, jsonService, type Service } from '../aws-http/service.ts';
import { type AlarmDefinition, alarmTypes, type DeployedAlarms, type Home } from '../messages.ts';
import {
  type Alarm,
  type AlarmState,
  type AlarmStore,
  alarmStore,
  HISTORY_TYPES,
  STATES,
} from './alarm-store.ts';

/** CloudWatch has the codes of its older protocol, which clients read from this header. */
const failure = (code: string, message: string): AwsError =>
  new AwsError(400, code, message, { headers: { 'x-amzn-query-error': `${code};Sender` } });

const paging = {
  MaxRecords: z.number().int().min(1).max(100).optional(),
  NextToken: z.string().optional(),
};
const inputs = {
  DescribeAlarms: z.strictObject({
    AlarmNames: z.array(z.string()).max(100).optional(),
    // As in CloudWatch, composite alarms are left out unless the request names their type.
    AlarmTypes: z.array(z.enum(alarmTypes)).default(['MetricAlarm']),
    ActionPrefix: z.string().min(1).max(1024).optional(),
    ...paging,
  }),
  DescribeAlarmHistory: z.strictObject({
    AlarmName: z.string().min(1).max(255).optional(),
    AlarmTypes: z.array(z.enum(alarmTypes)).default(['MetricAlarm']),
    HistoryItemType: z.enum(HISTORY_TYPES).optional(),
    ScanBy: z.literal('TimestampDescending').default('TimestampDescending'),
    ...paging,
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
  throw failure(
    'ValidationError',
    `${error.issues.length} validation error detected: ${z.prettifyError(error)}`,
  );
};

type Paging = { readonly MaxRecords?: number | undefined; readonly NextToken?: string | undefined };

const page = <Item>(items: readonly Item[], { MaxRecords = 50, NextToken = '0' }: Paging) => {
  if (!/^\d{1,9}$/.test(NextToken)) throw failure('InvalidNextToken', 'The next token is invalid.');
  const end = Number(NextToken) + MaxRecords;
  return {
    items: items.slice(Number(NextToken), end),
    next: end < items.length ? { NextToken: String(end) } : {},
  };
};

const ACTIONS = {
  ALARM: 'AlarmActions',
  OK: 'OKActions',
  INSUFFICIENT_DATA: 'InsufficientDataActions',
} as const;
const actionsSchema = z.array(z.string()).default([]);

const stateActions = ({ properties }: AlarmDefinition, state: AlarmState): string[] =>
  properties.ActionsEnabled === false ? [] : actionsSchema.parse(properties[ACTIONS[state]]);

const allActions = ({ properties }: AlarmDefinition): string[] =>
  Object.values(ACTIONS).flatMap((name) => actionsSchema.parse(properties[name]));

const alarmArn = ({ region, accountId }: Home, name: string): string =>
  `arn:aws:cloudwatch:${region}:${accountId}:alarm:${name}`;

const CHILD = /ALARM\("([^"]+)"\)/g;

/** The alarms of a rule that joins them by AND, the only kind that the local cloud deploys. */
const ruleChildren = ({ properties }: AlarmDefinition): string[] =>
  Array.from(String(properties.AlarmRule).matchAll(CHILD), ([, arn = '']) => arn);

/** Sets states as CloudWatch does: a new state executes its actions, and composite alarms follow. */
const stateChanges = (home: Home, store: AlarmStore, now: () => number) => {
  const record = (
    { name, type }: Alarm,
    item: (typeof HISTORY_TYPES)[number],
    summary: string,
    data: object,
  ) => store.log({ alarm: name, type, time: now(), item, summary, data: JSON.stringify(data) });

  const execute = (alarm: Alarm, action: string): void => {
    const isKnown = store.hasTopic(action);
    const summary = isKnown ? 'Successfully executed action' : 'Failed to execute action';
    record(alarm, 'Action', `${summary} ${action}`, {
      actionState: isKnown ? 'Succeeded' : 'Failed',
      notificationResource: action,
      error: isKnown ? null : 'Resource does not exist',
    });
  };

  const change = (alarm: Alarm, state: AlarmState, reason: string): void => {
    const next = { ...alarm, state, reason, updated: now() };
    store.put(next);
    if (state === alarm.state) return;
    record(next, 'StateUpdate', `Alarm updated from ${alarm.state} to ${state}`, {
      oldState: { stateValue: alarm.state, stateReason: alarm.reason },
      newState: { stateValue: state, stateReason: reason },
    });
    for (const action of stateActions(next, state)) execute(next, action);
    const parents = store.all().filter((other) => ruleChildren(other).includes(alarmArn(home, alarm.name)));
    for (const parent of parents) follow(parent);
  };

  const follow = (composite: Alarm): void => {
    const children = ruleChildren(composite);
    const raised = store.all().filter((alarm) => alarm.state === 'ALARM');
    const arns = new Set(raised.map(({ name }) => alarmArn(home, name)));
    const state = children.every((arn) => arns.has(arn)) ? 'ALARM' : 'OK';
    if (state !== composite.state) change(composite, state, 'A child alarm changed its state');
  };

  return change;
};

const seconds = (milliseconds: number): number => milliseconds / 1000;

const operations = (home: Home, store: AlarmStore): Record<keyof typeof inputs, JsonOperation> => {
  const change = stateChanges(home, store, Date.now);
  const describe = ({ name, properties, state, reason, updated }: Alarm) => ({
    ActionsEnabled: true,
    ...properties,
    AlarmName: name,
    AlarmArn: alarmArn(home, name),
    StateValue: state,
    StateReason: reason,
    StateUpdatedTimestamp: seconds(updated),
  });
  return {
    DescribeAlarms(input) {
      const request = parse(inputs.DescribeAlarms, input);
      const { AlarmNames, AlarmTypes, ActionPrefix } = request;
      const found = store
        .all()
        .filter(({ name }) => AlarmNames?.includes(name) ?? true)
        .filter(({ type }) => AlarmTypes.includes(type))
        .filter(
          (alarm) =>
            ActionPrefix === undefined || allActions(alarm).some((action) => action.startsWith(ActionPrefix)),
        );
      const { items, next } = page(found, request);
      const ofType = (wanted: Alarm['type']) => items.filter(({ type }) => type === wanted).map(describe);
      return { MetricAlarms: ofType('MetricAlarm'), CompositeAlarms: ofType('CompositeAlarm'), ...next };
    },
    DescribeAlarmHistory(input) {
      const request = parse(inputs.DescribeAlarmHistory, input);
      const { AlarmName, AlarmTypes, HistoryItemType } = request;
      const found = store
        .history()
        .filter(({ alarm }) => AlarmName === undefined || alarm === AlarmName)
        .filter(({ type }) => AlarmTypes.includes(type))
        .filter(({ item }) => HistoryItemType === undefined || item === HistoryItemType);
      const { items, next } = page(found, request);
      const AlarmHistoryItems = items.map(({ alarm, type, time, item, summary, data }) => ({
        AlarmName: alarm,
        AlarmType: type,
        Timestamp: seconds(time),
        HistoryItemType: item,
        HistorySummary: summary,
        HistoryData: data,
      }));
      return { AlarmHistoryItems, ...next };
    },
    SetAlarmState(input) {
      const { AlarmName, StateValue, StateReason } = parse(inputs.SetAlarmState, input);
      const alarm = store.find(AlarmName);
      if (alarm === undefined) throw failure('ResourceNotFound', `The alarm ${AlarmName} does not exist.`);
      store.atomically(() => change(alarm, StateValue, StateReason));
    },
  };
};

const named = z.looseObject({ AlarmName: z.string() });

/** The alarms of a stack and their history. Metrics are not stored, so nothing raises an alarm by itself. */
export const cloudWatch = (home: Home, dataDir: string, deployed: DeployedAlarms | undefined): Service => {
  const store = alarmStore(join(dataDir, 'alarms.sqlite'), Date.now);
  // An operator command opens the data of a stack that is deployed already.
  if (deployed !== undefined) store.deploy(deployed);
  return jsonService({
    target: 'GraniteServiceVersion20100801',
    operations: new Map(Object.entries(operations(home, store))),
    accessedBy: (operation, input) => {
      const { data } = named.safeParse(input);
      const isSet = operation === 'SetAlarmState' && data !== undefined;
      // Composite alarms can be described only with a permission for all resources.
      return [{ action: `cloudwatch:${operation}`, resource: isSet ? alarmArn(home, data.AlarmName) : '*' }];
    },
    close: async () => store.close(),
  });
};
