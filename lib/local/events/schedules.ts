import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { LocalCloudError, type OnError } from '../errors.ts';
import { createFunctionFinder } from '../functions/definition.ts';
import type { FunctionHost, InvocationResult } from '../functions/function-host.ts';
import { isPermitted } from '../template/policies.ts';
import { type Environment, SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const targetSchema = z.object({
  Arn: z.string(),
  Input: z.undefined('the local cloud passes only scheduled events').optional(),
});

const ruleSchema = z.object({
  ScheduleExpression: z.string('the local cloud supports only rules with a schedule'),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Targets: z.array(targetSchema).default([]),
});

type ScheduledTarget = { readonly functionId: string; readonly permitted: boolean };

type Schedule = {
  readonly logicalId: string;
  readonly arn: string;
  readonly enabled: boolean;
  readonly everyMilliseconds: number;
  readonly targets: readonly ScheduledTarget[];
};

export const readSchedules = (stack: Stack, eventAges: ReadonlyMap<string, number>): readonly Schedule[] => {
  const findFunction = createFunctionFinder(stack);
  return stack.resources(SUPPORTED_TYPES.rule).map((resource) => {
    const { logicalId } = resource;
    const { ScheduleExpression, State, Targets } = stack.properties(resource, ruleSchema);
    const arn = stack.identity(logicalId).attributes.Arn ?? '';
    const caller = { principal: 'events.amazonaws.com', sourceArn: arn };
    return {
      logicalId,
      arn,
      enabled: State === 'ENABLED',
      everyMilliseconds: parseRate(logicalId, ScheduleExpression),
      targets: Targets.map(({ Arn }) => {
        const functionId = findFunction(Arn);
        if (functionId === undefined)
          throw new LocalCloudError(`${logicalId} has a target that is not a function of the template.`);
        if (!eventAges.has(functionId))
          throw new LocalCloudError(`${functionId} has a schedule, so it needs an EventInvokeConfig.`);
        return { functionId, permitted: isPermitted(stack, functionId, caller) };
      }),
    };
  });
};

const UNIT_MILLISECONDS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const parseRate = (logicalId: string, expression: string): number => {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (unit === 'minute' || unit === 'hour' || unit === 'day') return Number(count) * UNIT_MILLISECONDS[unit];
  throw new LocalCloudError(
    `${logicalId}.ScheduleExpression is ${expression}: the local cloud supports only rate(...).`,
  );
};

/** The first run comes soon after a start, to continue unfinished work. */
const FIRST_RUN_MILLISECONDS = 5_000;

type SchedulerOptions = {
  readonly schedules: readonly Schedule[];
  readonly functions: Pick<FunctionHost, 'invoke'>;
  readonly environment: Environment;
  readonly firstRunMilliseconds?: number;
  /** If false, schedules run only on request. */
  readonly automatic: boolean;
  readonly onError?: OnError;
};

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
    if (!options.automatic) return;
    const { firstRunMilliseconds = FIRST_RUN_MILLISECONDS } = options;
    for (const schedule of options.schedules.filter(({ enabled }) => enabled)) {
      const run = () =>
        void this.run(schedule.logicalId).catch((error: unknown) =>
          options.onError?.(`schedule ${schedule.logicalId}`, error),
        );
      this.#timers.push(setTimeout(run, firstRunMilliseconds), setInterval(run, schedule.everyMilliseconds));
    }
  }

  async run(logicalId: string): Promise<readonly InvocationResult[]> {
    const { schedules, functions } = this.#options;
    const schedule = schedules.find((candidate) => candidate.logicalId === logicalId);
    if (schedule === undefined) throw new LocalCloudError(`The template has no schedule ${logicalId}.`);
    return Promise.all(
      schedule.targets.map(({ functionId, permitted }) => {
        if (!permitted) throw new LocalCloudError(`${logicalId} is not permitted to invoke ${functionId}.`);
        return functions.invoke(functionId, JSON.stringify(this.#event(schedule)));
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
