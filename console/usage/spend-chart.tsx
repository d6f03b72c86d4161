import { texts } from '../texts/texts.ts';
import { formatUtcDay, type SpendDay, sum } from './spend.ts';

const WIDTH = 720;
const HEIGHT = 180;
const GAP = 0.25;
const COLORS = 6;

type FormatAmount = (amount: string) => string;

type ChartProps = {
  readonly days: readonly SpendDay[];
  /** Ordered by total; the position determines the color. */
  readonly groups: readonly string[];
  readonly format: FormatAmount;
  readonly label: string;
};

type Segment = { readonly group: number; readonly y: number; readonly height: number };

const toSegments = ({ amounts }: SpendDay, groups: readonly string[], most: number): readonly Segment[] => {
  let top = HEIGHT;
  return groups.flatMap((group, index) => {
    const height = (Number(amounts.get(group) ?? '0') / most) * HEIGHT;
    top -= height;
    return height === 0 ? [] : [{ group: index, y: top, height }];
  });
};

/** One bar per day, stacked by group. */
export const SpendChart = ({ days, groups, format, label }: ChartProps) => {
  const totals = days.map(({ amounts }) => sum(amounts.values()));
  const most = Math.max(...totals.map(Number), Number.MIN_VALUE);
  const step = WIDTH / days.length;
  return (
    <figure class="chart">
      <p class="chart-most quiet small number" aria-hidden="true">
        {format(totals.reduce((one, other) => (Number(other) > Number(one) ? other : one), '0'))}
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {days.map((day, index) => (
          <g key={day.start}>
            <title>{`${formatUtcDay(day.start)}: ${format(totals[index] ?? '0')}`}</title>
            <rect class="chart-day" x={index * step} y="0" width={step} height={HEIGHT} />
            {toSegments(day, groups, most).map(({ group, y, height }) => (
              <rect
                key={group}
                class={`series-${group % COLORS}`}
                x={index * step + (step * GAP) / 2}
                y={y}
                width={step * (1 - GAP)}
                height={height}
              />
            ))}
          </g>
        ))}
      </svg>
      <figcaption class="chart-axis quiet small number">
        <span>{formatUtcDay(days[0]?.start ?? 0)}</span>
        <span>{texts.usage.day}</span>
        <span>{formatUtcDay(days.at(-1)?.start ?? 0)}</span>
      </figcaption>
    </figure>
  );
};

type TotalsProps = {
  readonly totals: readonly (readonly [string, string])[];
  readonly format: FormatAmount;
  readonly groupName: (group: string) => string;
};

/** The legend of the chart, with the totals. */
export const GroupTotals = ({ totals, format, groupName }: TotalsProps) => (
  <ul class="legend">
    {totals.map(([group, total], index) => (
      <li key={group}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect class={`series-${index % COLORS}`} width="10" height="10" rx="2.5" />
        </svg>
        <span class="legend-name">{groupName(group)}</span>
        <span class="number">{format(total)}</span>
      </li>
    ))}
  </ul>
);

type TableProps = Pick<ChartProps, 'days' | 'format'> & { readonly caption: string };

/** The numbers of the chart for people who cannot see it, without empty days. */
export const DayTable = ({ days, format, caption }: TableProps) => (
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
              <th scope="row">{formatUtcDay(start)}</th>
              <td class="cell-end number">{format(sum(amounts.values()))}</td>
            </tr>
          ))}
      </tbody>
    </table>
  </details>
);
