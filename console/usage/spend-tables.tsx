import { texts } from '../texts/texts.ts';
import { formatDay } from './days.ts';
import { type SpendDay, totalOf } from './spend.ts';

type Totals = {
  readonly totals: readonly (readonly [string, string])[];
  readonly format: (amount: string) => string;
  readonly nameOf: (group: string) => string;
};

export const GroupTotals = ({ totals, format, nameOf }: Totals) => (
  <ul class="legend">
    {totals.map(([group, total], index) => (
      <li key={group}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect class={`series-${index % 6}`} width="10" height="10" rx="2.5" />
        </svg>
        <span class="legend-name">{nameOf(group)}</span>
        <span class="number">{format(total)}</span>
      </li>
    ))}
  </ul>
);

type Days = {
  readonly days: readonly SpendDay[];
  readonly format: (amount: string) => string;
  readonly caption: string;
};

/** The chart's numbers for those who cannot see it. Days without any are left out. */
export const DayTable = ({ days, format, caption }: Days) => (
  <details class="more">
    <summary>{texts.usage.asTable}</summary>
    <table class="table">
      <caption class="visually-hidden">{caption}</caption>
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
              <td class="cell-end number">{format(totalOf(amounts.values()))}</td>
            </tr>
          ))}
      </tbody>
    </table>
  </details>
);
