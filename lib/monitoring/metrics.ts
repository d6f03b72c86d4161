import {
  type ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  type TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Duration } from 'aws-cdk-lib/core';
import { isIncluded, servedRoutes } from '../../functions/identity/api/declare-endpoint.ts';
import { type EndpointTag, SERVED_ENDPOINTS } from '../../functions/openapi/api/endpoints.ts';
import type { Feature } from '../../functions/platform/domain/features.ts';
import type { MetricName, MetricNamespace } from '../../functions/platform/runtime/logger.ts';
import type { Resources } from '../resources/resources.ts';

/** The resources of the service, with the server errors in the access log of their API. */
export type Monitored = Resources & {
  /** Of all routes. */
  readonly routeErrors: Metric;
  /** By route family. */
  readonly familyErrors: ReadonlyMap<string, Metric>;
};

export const NAMESPACE: MetricNamespace = 'MediaGeneration';

/** A metric that the functions write with their logs. */
export const customMetric = (
  { config: { stackName: service } }: Monitored,
  metricName: MetricName,
  { statistic = 'Sum', minutes = 5, by = {}, label = String(metricName) } = {},
): Metric =>
  new Metric({
    namespace: NAMESPACE,
    metricName,
    statistic,
    period: Duration.minutes(minutes),
    dimensionsMap: { service, ...by },
    label,
  });

/** Adds metrics; one without data counts as 0. */
export const sumMetrics = (metrics: readonly IMetric[], label: string, minutes: number): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, position) => `FILL(m${position}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, position) => [`m${position}`, metric])),
    period: Duration.minutes(minutes),
    label,
  });

export type AlarmRow = {
  readonly id: string;
  /** The section of RUNBOOK.md that says what to do; default: the words of the id. */
  readonly section?: string;
  readonly description: string;
  readonly metric: IMetric;
  /** The alarm is raised when the metric is above the threshold, default 0. */
  readonly threshold?: number;
  /** How many of the last periods must breach the threshold; default one of one. */
  readonly datapoints?: readonly [breaching: number, of: number];
  readonly missing?: TreatMissingData;
  readonly comparison?: ComparisonOperator;
  /** Notifies nobody: a composite alarm combines it with others. */
  readonly isPart?: boolean;
};

/**
 * The family of each tag. A family with few requests could fail all the time without affecting the error rate of the
 * whole API. AWS charges for each metric, so small ones share a family.
 */
const FAMILIES = {
  Videos: 'Videos',
  Agents: 'Videos',
  Images: 'Images',
  Responses: 'Images',
  Files: 'Files',
  Library: 'Library',
  Webhooks: 'Webhooks',
  Shares: 'Library',
  Keys: 'Organization',
  People: 'Organization',
  Usage: 'Organization',
  'Audit log': 'Organization',
  Console: 'Organization',
  Models: 'Service',
  Service: 'Service',
} as const satisfies Record<EndpointTag, string>;

type RouteFamily = (typeof FAMILIES)[EndpointTag];
export const FAMILY_NAMES: readonly RouteFamily[] = [...new Set(Object.values(FAMILIES))];

/** A pattern has its `*` at one end. */
const toPattern = (route: string): string => route.replace(/^.*\*/, '*');

type OwnedRoute = readonly [route: string, family: RouteFamily];

/** A route of several endpoints, such as those of a model, belongs to the family of the first one. */
const ownedRoutes = (features: readonly Feature[]): readonly OwnedRoute[] =>
  Map.groupBy(
    SERVED_ENDPOINTS.filter((endpoint) => isIncluded(endpoint, features))
      .toSorted(
        (one, other) => FAMILY_NAMES.indexOf(FAMILIES[one.tag]) - FAMILY_NAMES.indexOf(FAMILIES[other.tag]),
      )
      .flatMap((endpoint) => servedRoutes(endpoint).map((route) => ({ route, tag: endpoint.tag }))),
    ({ route }) => toPattern(route),
  )
    .entries()
    .map(([route, [first]]) => [route, first === undefined ? 'Service' : FAMILIES[first.tag]] as const)
    .toArray();

const prefixes = (route: string): string[] =>
  route.split('/').map((_, index, parts) => `${parts.slice(0, index + 1).join('/')}`);

/** `/v1/files*` stands for all routes that begin with it, if they all belong to the family; else a route stands for itself. */
const shortestPattern = ([route, family]: OwnedRoute, all: readonly OwnedRoute[]): string => {
  const isOwn = (prefix: string): boolean =>
    prefix.length > 3 && all.every(([other, owner]) => !other.startsWith(prefix) || owner === family);
  const prefix = route.startsWith('/') ? prefixes(route).find(isOwn) : undefined;
  return prefix === undefined ? route : `${prefix}*`;
};

/** The routes of each family that has some; `*` matches any text, at the start or the end of a pattern. */
export const routeFamilies = (features: readonly Feature[]): ReadonlyMap<RouteFamily, readonly string[]> => {
  const all = ownedRoutes(features);
  const patterns = FAMILY_NAMES.map((family) => {
    const own = all.filter(([, owner]) => owner === family).map((each) => shortestPattern(each, all));
    // Unknown routes.
    const unknown = family === 'Service' ? ['/{proxy+}'] : [];
    return [family, [...new Set([...own, ...unknown])]] as const;
  });
  return new Map(patterns.filter(([, routes]) => routes.length > 0));
};

/** A 503 is the upstream's fault, which has its own alarms. */
const SERVER_ERRORS = ['500', '502', '504'];

const matchesAny = (field: string, values: readonly string[]): string =>
  `(${values.map((value) => `$.${field} = "${value}"`).join(' || ')})`;

/**
 * Counts the server errors of all routes and of each family in the access log, which includes functions that fail to
 * start. AWS charges for a metric only in hours in which it has data.
 */
export const addServerErrors = (resources: Resources): Monitored => {
  const { api, config } = resources;
  const count = (id: string, metricName: string, conditions: readonly string[], label: string): Metric =>
    api.accessLog
      .addMetricFilter(id, {
        filterPattern: FilterPattern.literal(`{ ${conditions.join(' && ')} }`),
        metricNamespace: `${NAMESPACE}/${config.stackName}`,
        metricName,
      })
      .metric({ statistic: 'Sum', label });
  const isError = matchesAny('status', SERVER_ERRORS);
  return {
    ...resources,
    routeErrors: count('RouteErrors', 'ServerErrors', [isError], 'all routes'),
    familyErrors: new Map(
      Array.from(routeFamilies(config.features), ([family, routes]) => [
        family,
        count(`${family}Errors`, `ServerErrors${family}`, [isError, matchesAny('route', routes)], family),
      ]),
    ),
  };
};
