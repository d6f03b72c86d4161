import type { NotifyingAlarm } from '../lib/operator/alarms.ts';
import { runSubcommand, type Work, withOptions } from './operator-command.ts';

const USAGE = `Tests that the alarms notify.

Usage: npm run alarms -- test [--yes] [where]

  test        raises every alarm of the stack once, with a reason that says that it is a test, waits until the
              notification is sent, and sets the alarm back to its state
  --yes       does it; without this option the command only lists the alarms
  --dry-run   only lists the alarms, even with --yes

An interrupted test sets the alarm in hand back. Do not test during a gradual deployment, which an alarm rolls back.

Where the alarms are:`;

const FLAGS = {
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const;

/** Runs until the work ends; Ctrl-C and the end of a session abort the signal, and the work ends by itself. */
const untilInterrupted = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, interrupt);
  try {
    await work(interruption.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
};

const toRow = (alarms: readonly NotifyingAlarm[]) => {
  const width = Math.max(...alarms.map(({ name }) => name.length));
  return ({ name, state }: NotifyingAlarm, result: string): string =>
    `${name.padEnd(width)}  ${state.padEnd('INSUFFICIENT_DATA'.length)}  ${result}`.trimEnd();
};

const list = (alarms: readonly NotifyingAlarm[], topic: string): string[] => [
  ...alarms.map((alarm) => toRow(alarms)(alarm, '')),
  `With --yes, each of these ${alarms.length} alarms is raised once as a test and set back to its state, which notifies ${topic}.`,
];

const test =
  (isConfirmed: boolean): Work =>
  async (stack) => {
    // Imported late, so that wrong options are reported at once.
    const { alarmTester, WAITING } = await import('../lib/operator/alarms.ts');
    const tester = alarmTester(stack);
    const alarms = await tester.list();
    if (!isConfirmed) return list(alarms, tester.topic);
    let notified = 0;
    await untilInterrupted(async (signal) => {
      for (const alarm of alarms) {
        if (signal.aborted) {
          process.exitCode = 1;
          break;
        }
        const { text, isProblem } = await tester.test(alarm.name, { ...WAITING, signal });
        console.log(toRow(alarms)(alarm, text));
        if (isProblem) process.exitCode = 1;
        if (text === 'notified') notified += 1;
      }
    });
    return [
      `${notified} of ${alarms.length} alarms notified ${tester.topic}.`,
      ...(notified > 0 ? ['Check that their messages have arrived.'] : []),
    ];
  };

await runSubcommand(USAGE, withOptions(FLAGS), {
  test: {
    options: Object.keys(FLAGS),
    prepare: ({ yes, 'dry-run': isDryRun }) => test(yes && !isDryRun),
  },
});
