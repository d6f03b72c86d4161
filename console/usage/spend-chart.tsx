import { texts } from '../texts/texts.ts';
import { formatDay } from './days.ts';
import { type SpendDay, totalOf } from './spend.ts';

const WIDTH = 720;
const HEIGHT = 180;
const GAP = 0.25;

type Props = {
  readonly days: readonly SpendDay[];
  /** In the order of their totals; the colour follows the place. */
  readonly groups: readonly string[];
  readonly format: (amount: string) => string;
  readonly label: string;
};

type Segment = { readonly group: number; readonly y: number; readonly height: number };

const segmentsOf = ({ amounts }: SpendDay, groups: readonly string[], most: number): readonly Segment[] => {
  let top = HEIGHT;
  return groups.flatMap((group, index) => {
    const height = (Number(amounts.get(group) ?? '0') / most) * HEIGHT;
    top -= height;
    return height === 0 ? [] : [{ group: index, y: top, height }];
  });
};

/** One bar a day, stacked by group. The table below it has the same numbers, for those who cannot see it. */
export const SpendChart = ({ days, groups, format, label }: Props) => {
  const totals = days.map(({ amounts }) => totalOf(amounts.values()));
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
            <title>{`${formatDay(day.start)}: ${format(totals[index] ?? '0')}`}</title>
            <rect class="chart-day" x={index * step} y="0" width={step} height={HEIGHT} />
            {segmentsOf(day, groups, most).map(({ group, y, height }) => (
              <rect
                key={group}
                class={`series-${group % 6}`}
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
        <span>{formatDay(days[0]?.start ?? 0)}</span>
        <span>{texts.usage.day}</span>
        <span>{formatDay(days.at(-1)?.start ?? 0)}</span>
      </figcaption>
    </figure>
  );
};
