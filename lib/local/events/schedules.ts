import * as z from 'zod';
import { findFunction } from '../functions/definition.ts';
import { isPermitted } from '../functions/permissions.ts';
import { LocalCloudError } from '../local-cloud-error.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const ruleSchema = z.object({
  ScheduleExpression: z.string('the local cloud knows rules with a schedule only'),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Targets: z.array(z.object({ Arn: z.string(), Input: z.string().optional() })).default([]),
});

const scheduleSchema = z.object({
  ScheduleExpression: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Target: z.object({ Arn: z.string(), Input: z.string().optional() }),
});

type ScheduledTarget = {
  readonly functionId: string;
  /** A constant event in place of the scheduled one. */
  readonly input: string | undefined;
  readonly permitted: boolean;
};

export type Schedule = {
  readonly logicalId: string;
  readonly arn: string;
  readonly enabled: boolean;
  readonly everyMilliseconds: number;
  readonly targets: readonly ScheduledTarget[];
};

export const readSchedules = (stack: Stack): readonly Schedule[] => {
  const rules = stack.resources(SUPPORTED_TYPES.rule).map((resource) => {
    const { ScheduleExpression, State, Targets } = stack.properties(resource, ruleSchema);
    return {
      logicalId: resource.logicalId,
      expression: ScheduleExpression,
      State,
      targets: Targets,
      isRule: true,
    };
  });
  const schedules = stack.resources(SUPPORTED_TYPES.schedule).map((resource) => {
    const { ScheduleExpression, State, Target } = stack.properties(resource, scheduleSchema);
    return {
      logicalId: resource.logicalId,
      expression: ScheduleExpression,
      State,
      targets: [Target],
      isRule: false,
    };
  });
  return [...rules, ...schedules].map(({ logicalId, expression, State, targets, isRule }) => {
    const arn = stack.identity(logicalId).attributes.Arn ?? '';
    const caller = { principal: 'events.amazonaws.com', sourceArn: arn };
    return {
      logicalId,
      arn,
      enabled: State === 'ENABLED',
      everyMilliseconds: parseRate(logicalId, expression),
      targets: targets.map(({ Arn, Input }) => {
        const functionId = functionOf(stack, logicalId, Arn);
        // A schedule invokes with a role of its own, a rule by the function's resource policy.
        return { functionId, input: Input, permitted: !isRule || isPermitted(stack, functionId, caller) };
      }),
    };
  });
};

const UNIT_MILLISECONDS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const parseRate = (logicalId: string, expression: string): number => {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (unit === 'minute' || unit === 'hour' || unit === 'day') return Number(count) * UNIT_MILLISECONDS[unit];
  throw new LocalCloudError(
    `${logicalId}.ScheduleExpression is ${expression}: the local cloud knows rate(...) only.`,
  );
};

const functionOf = (stack: Stack, logicalId: string, arn: string): string => {
  const found = findFunction(stack, arn);
  if (found === undefined)
    throw new LocalCloudError(`${logicalId} has a target that is no function of the template.`);
  return found;
};
