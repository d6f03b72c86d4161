import type { AlarmDefinition, DeployedAlarms } from '../messages.ts';
import { inTransaction, openDatabase } from '../sqlite.ts';

/** Without metrics nothing evaluates a metric alarm, so its state changes only with SetAlarmState. */
export const STATES = ['INSUFFICIENT_DATA', 'ALARM', 'OK'] as const;
export type AlarmState = (typeof STATES)[number];

export const HISTORY_TYPES = ['StateUpdate', 'Action'] as const;

export type Alarm = AlarmDefinition & {
  readonly state: AlarmState;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly updated: number;
};

export type HistoryItem = {
  readonly alarm: string;
  readonly type: AlarmDefinition['type'];
  readonly time: number;
  readonly item: (typeof HISTORY_TYPES)[number];
  readonly summary: string;
  readonly data: string;
};

export type AlarmStore = ReturnType<typeof alarmStore>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS alarms (name TEXT PRIMARY KEY, alarm TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS topics (arn TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS history (number INTEGER PRIMARY KEY, time INTEGER NOT NULL, item TEXT NOT NULL) STRICT;
`;

/** CloudWatch keeps the history of alarms for 30 days. */
const HISTORY_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

const NOT_EVALUATED = 'Unchecked: Initial alarm creation';

/** Alarms with their state, and the history, which stays when an alarm is deleted. */
export const alarmStore = (file: string, now: () => number) => {
  const database = openDatabase(file, SCHEMA);
  const statements = {
    all: database.prepare('SELECT alarm FROM alarms ORDER BY name'),
    find: database.prepare('SELECT alarm FROM alarms WHERE name = ?'),
    put: database.prepare('INSERT OR REPLACE INTO alarms VALUES (?, ?)'),
    remove: database.prepare('DELETE FROM alarms WHERE name = ?'),
    log: database.prepare('INSERT INTO history (time, item) VALUES (?, ?)'),
    forget: database.prepare('DELETE FROM history WHERE time < ?'),
    topic: database.prepare('INSERT INTO topics VALUES (?)'),
    topics: database.prepare('SELECT arn FROM topics'),
    // The newest item first, also of those of one millisecond.
    history: database.prepare('SELECT item FROM history ORDER BY number DESC'),
  };
  const all = (): Alarm[] => statements.all.all().map(({ alarm }) => JSON.parse(String(alarm)));
  const find = (name: string): Alarm | undefined => {
    const row = statements.find.get(name);
    return row === undefined ? undefined : JSON.parse(String(row.alarm));
  };
  const put = (alarm: Alarm): void => void statements.put.run(alarm.name, JSON.stringify(alarm));
  return {
    all,
    find,
    put,
    log: (item: HistoryItem): void => void statements.log.run(item.time, JSON.stringify(item)),
    history: (): HistoryItem[] => statements.history.all().map(({ item }) => JSON.parse(String(item))),
    /** As a deployment does: changed alarms keep their state, and others disappear. */
    deploy({ alarms: definitions, topics }: DeployedAlarms): void {
      statements.forget.run(now() - HISTORY_MILLISECONDS);
      database.exec('DELETE FROM topics');
      for (const arn of topics) statements.topic.run(arn);
      for (const definition of definitions) {
        const { state, reason, updated } = find(definition.name) ?? {
          state: 'INSUFFICIENT_DATA' as const,
          reason: NOT_EVALUATED,
          updated: now(),
        };
        put({ ...definition, state, reason, updated });
      }
      const names = new Set(definitions.map(({ name }) => name));
      for (const { name } of all()) if (!names.has(name)) statements.remove.run(name);
    },
    hasTopic: (arn: string): boolean => statements.topics.all().some((topic) => topic.arn === arn),
    /** All changes of the work are written, or none. */
    atomically: (work: () => void): void => inTransaction(database, work),
    close: (): void => database.close(),
  };
};
