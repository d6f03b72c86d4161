import { formatMoney } from '../parts/format.ts';
import { texts } from '../texts.ts';
import { formatDay } from './days.ts';
import { type SpendDay, totalOf } from './spend.ts';

type Totals = {
  readonly totals: readonly (readonly [string, string])[];
  readonly currency: string;
  readonly nameOf: (group: string) => string;
};

export const GroupTotals = ({ totals, currency, nameOf }: Totals) => (
  <ul class="legend">
    {totals.map(([group, total], index) => (
      <li key={group}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect class={`series-${index % 6}`} width="10" height="10" rx="2.5" />
        </svg>
        <span class="legend-name">{nameOf(group)}</span>
        <span class="number">{formatMoney(total, currency)}</span>
      </li>
    ))}
  </ul>
);

type Days = { readonly days: readonly SpendDay[]; readonly currency: string };

/** Days without a charge are left out: the chart shows them. */
export const DayTable = ({ days, currency }: Days) => (
  <div class="card table-card">
    <table class="table">
      <caption class="visually-hidden">{texts.usage.chart}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.usage.day}</th>
          <th scope="col" class="cell-end">
            {texts.usage.total}
          </th>
        </tr>
      </thead>
      <tbody>
        {days
          .filter(({ amounts }) => amounts.size > 0)
          .toReversed()
          .map(({ start, amounts }) => (
            <tr key={start}>
              <th scope="row">{formatDay(start)}</th>
              <td class="cell-end number" data-label={texts.usage.total}>
                {formatMoney(totalOf(amounts.values()), currency)}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  </div>
);
