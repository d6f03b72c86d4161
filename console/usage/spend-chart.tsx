import { useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { axisTicks, formatShortUtcDay, formatUtcDay, type SpendDay, spreadLabels, sum } from './spend.ts';

const WIDTH = 720;
const HEIGHT = 180;
const GAP = 0.25;
const COLORS = 6;
const seriesColor = (group: number): string => `var(--series-${group % COLORS})`;
const MAX_DAY_LABELS = 5;

type FormatAmount = (amount: string) => string;

type ChartProps = {
  readonly days: readonly SpendDay[];
  /** Ordered by total; the position determines the color. */
  readonly groups: readonly string[];
  readonly groupName: (group: string) => string;
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

type BarsProps = Pick<ChartProps, 'days' | 'groups' | 'label'> & {
  readonly most: number;
  readonly selected: number | undefined;
};

const Bars = ({ days, groups, label, most, selected }: BarsProps) => {
  const step = WIDTH / days.length;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {days.map((day, index) => (
        <g key={day.start}>
          {index === selected && (
            <rect class="chart-day" x={index * step} y="0" width={step} height={HEIGHT} />
          )}
          {toSegments(day, groups, most).map(({ group, y, height }) => (
            <rect
              key={group}
              style={{ fill: seriesColor(group) }}
              x={index * step + (step * GAP) / 2}
              y={y}
              width={step * (1 - GAP)}
              height={height}
            />
          ))}
        </g>
      ))}
    </svg>
  );
};

const MOVES: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowRight: (index, last) => Math.min(index + 1, last),
  ArrowLeft: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

type SelectorProps = {
  readonly count: number;
  /** Selected by the first key press: the last day with an amount. */
  readonly initial: number;
  readonly selected: number | undefined;
  readonly onSelect: (index: number | undefined) => void;
  readonly label: string;
  readonly value: string;
};

/** An invisible layer over the bars: selects the day under the pointer, or with the arrow keys. */
const DaySelector = ({ count, initial, selected, onSelect, label, value }: SelectorProps) => (
  <div
    class="chart-selector"
    role="slider"
    tabIndex={0}
    aria-label={label}
    aria-valuemin={1}
    aria-valuemax={count}
    aria-valuenow={(selected ?? initial) + 1}
    aria-valuetext={value}
    onPointerMove={({ currentTarget, clientX }) => {
      const { left, width } = currentTarget.getBoundingClientRect();
      onSelect(Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / width) * count))));
    }}
    onPointerLeave={() => onSelect(undefined)}
    onFocus={() => onSelect(selected ?? initial)}
    onBlur={() => onSelect(undefined)}
    onKeyDown={(event) => {
      const move = MOVES[event.key];
      if (move === undefined) return;
      event.preventDefault();
      onSelect(move(selected ?? initial, count - 1));
    }}
  />
);

export const SpendChart = ({ days, groups, groupName, format, label }: ChartProps) => {
  const [selected, setSelected] = useState<number>();
  const ticks = axisTicks(Math.max(...days.map(({ amounts }) => Number(sum(amounts.values())))));
  const most = Number(ticks.at(-1) ?? '1');
  const initial = Math.max(
    0,
    days.findLastIndex(({ amounts }) => amounts.size > 0),
  );
  const shown = days[selected ?? initial];
  const value =
    shown === undefined
      ? ''
      : texts.usage.ofDay(formatUtcDay(shown.start), format(sum(shown.amounts.values())));
  return (
    <figure class="chart">
      <div class="chart-values number" aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{format(tick)}</span>
        ))}
      </div>
      <div class="chart-plot">
        <div class="chart-lines" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} />
          ))}
        </div>
        <Bars days={days} groups={groups} label={label} most={most} selected={selected} />
        <DaySelector
          count={days.length}
          initial={initial}
          selected={selected}
          onSelect={setSelected}
          label={texts.usage.selectDay(label)}
          value={value}
        />
      </div>
      <div class="chart-days number" aria-hidden="true">
        {spreadLabels(days, MAX_DAY_LABELS).map(({ item, width }, _, labels) => (
          <span key={item.start} style={{ flexGrow: width }}>
            {/* A last label with little room would stand out of the chart. */}
            {width * 2 >= (labels[0]?.width ?? 0) && formatShortUtcDay(item.start)}
          </span>
        ))}
      </div>
      <figcaption class="chart-caption small quiet number">
        {selected === undefined || shown === undefined ? (
          <span>
            {texts.usage.day}. {texts.usage.selectHint}
          </span>
        ) : (
          <>
            <strong>{value}</strong>
            {[...shown.amounts].map(([group, amount]) => (
              <span key={group}>{texts.usage.ofGroup(groupName(group), format(amount))}</span>
            ))}
          </>
        )}
      </figcaption>
    </figure>
  );
};

type TotalsProps = {
  readonly totals: readonly (readonly [string, string])[];
  readonly format: FormatAmount;
  readonly groupName: (group: string) => string;
};

export const GroupTotals = ({ totals, format, groupName }: TotalsProps) => (
  <ul class="legend stack stack-tight">
    {totals.map(([group, total], index) => (
      <li key={group}>
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <rect style={{ fill: seriesColor(index) }} width="10" height="10" rx="2.5" />
        </svg>
        <span class="grow breaks">{groupName(group)}</span>
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
