import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';

/**
 * The routes by what they are for; a star stands for any text. A family that few people use can fail all the time
 * without moving the error rate of the whole API.
 */
export const ROUTE_FAMILIES = {
  Videos: [
    '/v1/video*',
    '/v1beta/models/*:predictLongRunning',
    '/v1beta/models/{modelAction}/operations/*',
    '/v1beta/operations/*',
    '/v1beta/files*',
  ],
  Images: ['/v1/images/*', '/v1/chat/*', '/v1beta/models/{modelAction}'],
  Files: ['/v1/files*', '/upload/*'],
  Webhooks: ['/v1/webhook*'],
  Organization: ['/v1/organization/*', '/v1/console/*'],
  Pages: ['/', '/console*', '/openapi.json', '/v1/models*', '/v1beta/models', '/{proxy+}'],
} as const satisfies Record<string, readonly string[]>;

export type RouteFamily = keyof typeof ROUTE_FAMILIES;
export const FAMILY_NAMES = Object.keys(ROUTE_FAMILIES).filter(
  (name): name is RouteFamily => name in ROUTE_FAMILIES,
);

/** Our own faults: a 503 is the upstream's, and has alarms of its own. */
const STATUSES = ['500', '502', '504'];

const anyOf = (field: string, values: readonly string[]): string =>
  `(${values.map((value) => `$.${field} = "${value}"`).join(' || ')})`;

/**
 * The server errors of each family, counted from the access log, which also has what a function that does not start
 * could not count. A metric is paid for only in hours in which it counts something.
 */
export const addFamilyErrors = (accessLog: LogGroup, namespace: string): ReadonlyMap<RouteFamily, Metric> =>
  new Map(
    FAMILY_NAMES.map((family) => {
      const pattern = `{ ${anyOf('status', STATUSES)} && ${anyOf('route', ROUTE_FAMILIES[family])} }`;
      const filter = accessLog.addMetricFilter(`${family}Errors`, {
        filterPattern: FilterPattern.literal(pattern),
        metricNamespace: namespace,
        metricName: `ServerErrors${family}`,
      });
      return [family, filter.metric({ statistic: 'Sum', label: family })];
    }),
  );
