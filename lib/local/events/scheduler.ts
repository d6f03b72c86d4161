import { randomUUID } from 'node:crypto';
import type { FunctionHost, InvocationResult } from '../functions/function-host.ts';
import { LocalCloudError, type OnError } from '../local-cloud-error.ts';
import type { Environment } from '../template/identities.ts';
import type { Schedule } from './schedules.ts';

type SchedulerOptions = {
  readonly schedules: readonly Schedule[];
  readonly functions: Pick<FunctionHost, 'invoke'>;
  readonly environment: Environment;
  /** A start is at no certain point of a period: the first run comes soon, so that work left behind goes on. */
  readonly firstRunMilliseconds: number;
  /** Without it, schedules run only when asked to. */
  readonly automatic: boolean;
  readonly onError?: OnError | undefined;
};

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
    if (!options.automatic) return;
    for (const schedule of options.schedules.filter(({ enabled }) => enabled)) {
      const run = () =>
        void this.run(schedule.logicalId).catch((error: unknown) =>
          options.onError?.(`schedule ${schedule.logicalId}`, error),
        );
      this.#timers.push(
        setTimeout(run, options.firstRunMilliseconds),
        setInterval(run, schedule.everyMilliseconds),
      );
    }
  }

  async run(logicalId: string): Promise<readonly InvocationResult[]> {
    const { schedules, functions } = this.#options;
    const schedule = schedules.find((candidate) => candidate.logicalId === logicalId);
    if (schedule === undefined) throw new LocalCloudError(`The template has no schedule ${logicalId}.`);
    return Promise.all(
      schedule.targets.map(({ functionId, input, permitted }) => {
        if (!permitted) throw new LocalCloudError(`${logicalId} is not permitted to invoke ${functionId}.`);
        return functions.invoke(functionId, input ?? JSON.stringify(this.#event(schedule)));
      }),
    );
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #event({ arn }: Schedule) {
    const { region, accountId } = this.#options.environment;
    return {
      version: '0',
      id: randomUUID(),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: accountId,
      time: `${new Date().toISOString().slice(0, 19)}Z`,
      region,
      resources: [arn],
      detail: {},
    };
  }
}
