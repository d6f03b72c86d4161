import { dynamoUsage } from '../../functions/accounts/adapters/dynamo-charges.ts';
import { dayAfter, monthAfter } from '../../functions/accounts/domain/periods.ts';
import { type DailyUsage, sumUsage, type UsageSum } from '../../functions/accounts/domain/usage.ts';
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

/** One line per day, key, person, model and size. */
export const usageCsv = (days: readonly DailyUsage[]): string =>
  [
    ['day', 'api_key_id', 'user_id', 'model', 'size', 'quantity', 'unit', 'requests', 'amount', 'currency'],
    ...days.map(({ day, keyId, personId, model, size, quantity, kind, requests, amount, currency }) => [
      day,
      keyId,
      personId,
      model,
      size,
      quantity,
      UNITS[kind],
      requests,
      amount,
      currency,
    ]),
  ]
    .map(csvLine)
    .join('');

const money = ({ amount, currency }: UsageSum): string =>
  amount === null ? 'no price' : `${amount} ${currency}`;

/** Aligns columns: text on the left, numbers on the right. */
const alignColumns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
};

/** The fields by which the table can be grouped, with the names that the command accepts. */
const USAGE_GROUPINGS = { key: 'keyId', person: 'personId' } as const;
type UsageGrouping = keyof typeof USAGE_GROUPINGS;

const HEADINGS: Readonly<Record<UsageGrouping, string>> = { key: 'Key', person: 'Person' };
/** Usage of keys that belonged to the account. */
const NO_PERSON = 'none';

/** The month by key or person, model and size, with a total per currency. */
export const usageTable = (days: readonly DailyUsage[], by: UsageGrouping = 'key'): string[] => {
  const field = USAGE_GROUPINGS[by];
  const rows = sumUsage(days, [field, 'model', 'size']).map((sum) => [
    sum[field] ?? NO_PERSON,
    sum.model ?? '',
    sum.size ?? '',
    `${sum.quantity} ${sum.kind === null ? '' : UNITS[sum.kind]}`,
    String(sum.requests),
    money(sum),
  ]);
  const totals = sumUsage(days, []).map((sum) => ['Total', '', '', '', String(sum.requests), money(sum)]);
  return alignColumns([
    [HEADINGS[by], 'Model', 'Size', 'Quantity', 'Requests', 'Amount'],
    ...rows,
    ...totals,
  ]);
};
