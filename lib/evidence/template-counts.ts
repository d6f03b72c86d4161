import * as z from 'zod';
import { METRICS } from '../../functions/platform/runtime/logger.ts';
import { countPatchOperations } from '../local/template/rules/api.ts';
import { policyLength } from '../local/template/rules/policies.ts';
import { totalCost } from './prices.ts';
import { type Properties, readResources, standingQuantities } from './standing-cost.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Longer than any ARN that this stack gets, and than any name or URL of a queue. */
const LONG_ARN = 'x'.repeat(150);
const LONG_NAME = 'x'.repeat(115);
const LONG_PSEUDO_PARAMETER = 'x'.repeat(20);

const joinParts = z.tuple([z.string(), z.array(z.unknown())]);

/** A value with every intrinsic function replaced by a text of the greatest length that it can have. */
export const longest = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(longest);
  if (!isRecord(value)) return value;
  const [[name = '', argument] = [], ...others] = Object.entries(value);
  if (others.length === 0 && name === 'Fn::Join') {
    const [separator, parts] = joinParts.parse(argument);
    return parts.map((part) => String(longest(part))).join(separator);
  }
  if (others.length === 0 && name === 'Ref' && String(argument).startsWith('AWS::'))
    return LONG_PSEUDO_PARAMETER;
  if (others.length === 0 && name === 'Ref') return LONG_NAME;
  if (others.length === 0 && name.startsWith('Fn::')) return LONG_ARN;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, longest(inner)]));
};

const policiesSchema = z.looseObject({
  PolicyDocument: z.unknown().optional(),
  Policies: z.array(z.looseObject({ PolicyDocument: z.unknown() })).default([]),
});
const stageSchema = z.looseObject({ MethodSettings: z.array(z.record(z.string(), z.unknown())).default([]) });

const policyLengths = (properties: Properties): number[] => {
  const { PolicyDocument, Policies } = policiesSchema.parse(longest(properties));
  return [PolicyDocument, ...Policies.map((policy) => policy.PolicyDocument)]
    .filter((document) => document !== undefined)
    .map(policyLength);
};

/** The log events of a service in which nothing fails. */
const ORDINARY_EVENTS = [
  'task created',
  'task submitted',
  'task completed',
  'image made',
  'upstream answered',
  'webhook delivered',
] as const;

/** How many values a dimension has: both video models, and every call of an upstream client. */
const VALUES = { model: 2, call: 4 } as const;

/** CloudWatch charges for each combination of values; one that gets no data in an hour costs nothing in it. */
const countCustomMetrics = (upstreams: number): number => {
  const values: Readonly<Record<string, number>> = { ...VALUES, upstream: upstreams };
  return ORDINARY_EVENTS.flatMap((event) => [...METRICS[event]])
    .map((row) =>
      ('by' in row ? row.by : []).map((names) =>
        names.reduce((product, name) => product * (values[name] ?? 1), 1),
      ),
    )
    .reduce((sum, combinations) => sum + 1 + combinations.reduce((total, count) => total + count, 0), 0);
};

/** The figures of a template that its limits and its cost depend on. */
export const countTemplate = (text: string, upstreams: number) => {
  const template: unknown = JSON.parse(text);
  const all = readResources(template);
  const quantities = standingQuantities(template);
  const settings = all(/^AWS::ApiGateway::Stage$/).flatMap(
    (stage) => stageSchema.parse(stage).MethodSettings,
  );
  return {
    functions: all(/^AWS::Lambda::Function$/).length,
    tables: all(/^AWS::DynamoDB::Table$/).length,
    resources: all(/./).length,
    // Rounded up, so that small changes do not change the documentation.
    kilobytes: Math.ceil(Buffer.byteLength(text) / 20_000) * 20,
    patchOperations: countPatchOperations(settings),
    longestPolicy: Math.max(...all(/^AWS::IAM::(Role|Policy|ManagedPolicy)$/).flatMap(policyLengths)),
    alarms: all(/^AWS::CloudWatch::(Composite)?Alarm$/).length,
    alarmMetrics: quantities.alarmMetric ?? 0,
    customMetrics: countCustomMetrics(upstreams),
    monthlyDollars: totalCost(quantities).dollars,
  };
};

export type TemplateCounts = ReturnType<typeof countTemplate>;

const COLUMNS: Readonly<Record<string, (counts: TemplateCounts) => string>> = {
  Functions: ({ functions }) => String(functions),
  Tables: ({ tables }) => String(tables),
  Resources: ({ resources }) => String(resources),
  Template: ({ kilobytes }) => `${kilobytes} KB`,
  'Stage patch operations': ({ patchOperations }) => String(patchOperations),
  'Longest policy': ({ longestPolicy }) => String(longestPolicy),
  Alarms: ({ alarms }) => String(alarms),
  'Alarm metrics': ({ alarmMetrics }) => String(alarmMetrics),
  'Custom metrics': ({ customMetrics }) => String(customMetrics),
  'Fixed cost': ({ monthlyDollars }) => `${monthlyDollars.toFixed(2)} USD`,
};

export const COUNT_TITLES: readonly string[] = ['Configuration', ...Object.keys(COLUMNS)];

/** The row of a configuration, as docs/operate.md has it. */
export const countRow = (name: string, counts: TemplateCounts): string[] => [
  name,
  ...Object.values(COLUMNS).map((toText) => toText(counts)),
];
