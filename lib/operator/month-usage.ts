import { dynamoUsage } from '../../functions/billing/adapters/dynamo-charges.ts';
import { dayAfter, monthAfter } from '../../functions/billing/domain/periods.ts';
import { type DailyUsage, sumUsage, toCosts, type UsageSum } from '../../functions/billing/domain/usage.ts';
import { minus } from '../../functions/platform/domain/money.ts';
import { csvLine } from '../../functions/platform/domain/text.ts';
import { dynamoClient } from './dynamo-client.ts';
import { type StackTable, terminalLogger } from './operated-stack.ts';

/** The usage of an account by day in a UTC month, such as `2026-11`. */
export const monthUsage = (
  { clientConfig, tableName }: StackTable,
  account: string,
  month: string,
): Promise<DailyUsage[]> => {
  const usage = dynamoUsage(dynamoClient(clientConfig), tableName, terminalLogger);
  const last = dayAfter(`${monthAfter(month, 1)}-01`, -1);
  return Array.fromAsync(usage.days(account, `${month}-01`, last));
};

const UNITS = { video: 'seconds', image: 'images' } as const;

type Costed = Pick<UsageSum, 'amount' | 'currency' | 'requests' | 'costs' | 'costRequests'>;

/** What is left of the amount; undefined unless the cost of every request is known, in the currency of the amount. */
const margin = ({ amount, currency, requests, costs, costRequests }: Costed): string | undefined => {
  const [cost, ...others] = costs;
  const isComparable =
    cost?.currency === currency && others.length === 0 && amount !== null && costRequests === requests;
  return isComparable ? minus(amount, cost.amount) : undefined;
};

/** One line per day, key, person, model and size; separate lines for requests with and without a known cost. */
export const usageCsv = (days: readonly DailyUsage[]): string =>
  [
    [
      ...[
        'day',
        'api_key_id',
        'user_id',
        'model',
        'size',
        'quantity',
        'unit',
        'requests',
        'amount',
        'currency',
      ],
      ...['upstream_cost', 'upstream_currency', 'margin'],
    ],
    ...days.map((usage) => {
      const { day, keyId, personId, model, size, quantity, kind, requests, amount, currency } = usage;
      const sold = [day, keyId, personId, model, size, quantity, UNITS[kind], requests, amount, currency];
      return [...sold, usage.cost, usage.costCurrency, margin({ ...usage, ...toCosts(usage) }) ?? null];
    }),
  ]
    .map(csvLine)
    .join('');

const money = ({ amount, currency }: Costed): string =>
  amount === null ? 'no price' : `${amount} ${currency}`;

const costText = ({ costs }: Costed): string =>
  costs.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ') || 'unknown';

const marginText = (sum: Costed): string => {
  if (sum.costRequests === 0) return 'unknown';
  if (sum.costRequests < sum.requests) return 'partly known';
  const left = margin(sum);
  return left === undefined ? 'not comparable' : `${left} ${sum.currency}`;
};

/** Aligns columns: the first ones, which are names, on the left, numbers on the right. */
const alignColumns = (rows: readonly (readonly string[])[], names: number): string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < names ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
};

/** The fields by which the table can be grouped, with the names that the command accepts. */
const USAGE_GROUPINGS = {
  key: ['keyId', 'model', 'size'],
  person: ['personId', 'model', 'size'],
  model: ['model'],
} as const;
export const GROUPING_NAMES = ['key', 'person', 'model'] as const satisfies (keyof typeof USAGE_GROUPINGS)[];
type UsageGrouping = (typeof GROUPING_NAMES)[number];

const HEADINGS = { keyId: 'Key', personId: 'Person', model: 'Model', size: 'Size' } as const;
/** Usage of keys that belonged to the account. */
const NO_PERSON = 'none';

/** The month by key or person, model and size, or by model alone, with a total per currency. */
export const usageTable = (days: readonly DailyUsage[], by: UsageGrouping = 'key'): string[] => {
  const fields = USAGE_GROUPINGS[by];
  // Many upstreams do not report what they charge.
  const hasCosts = days.some(({ cost }) => cost !== null);
  const figures = (sum: UsageSum): string[] => [
    String(sum.requests),
    money(sum),
    ...(hasCosts ? [costText(sum), marginText(sum)] : []),
  ];
  const rows = sumUsage(days, fields).map((sum) => [
    ...fields.map((field) => sum[field] ?? NO_PERSON),
    `${sum.quantity} ${sum.kind === null ? '' : UNITS[sum.kind]}`,
    ...figures(sum),
  ]);
  const totals = sumUsage(days, []).map((sum) => [
    ...fields.map((_, column) => (column === 0 ? 'Total' : '')),
    '',
    ...figures(sum),
  ]);
  const headings = [
    ...fields.map((field) => HEADINGS[field]),
    ...['Quantity', 'Requests', 'Amount'],
    ...(hasCosts ? ['Cost', 'Margin'] : []),
  ];
  return alignColumns([headings, ...rows, ...totals], fields.length);
};
