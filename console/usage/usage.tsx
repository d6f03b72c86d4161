import { useId, useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { isNegative, minus } from '../../functions/platform/domain/money.ts';
import { serverNow } from '../api/clock.ts';
import { type Days, dayRange, isoDay, lastDays, utcMonth } from '../api/days.ts';
import { useQuery } from '../api/hooks.ts';
import { spendLimit } from '../api/usage.ts';
import { Choices } from '../parts/choices.tsx';
import { Empty, ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { SelectField } from '../parts/field.tsx';
import { DayRange, useUrlFilters } from '../parts/filters.tsx';
import { formatMoney, hasPrices } from '../parts/format.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { useCurrentSession, useHasFeature } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import {
  defaultMeasure,
  MEASURES,
  type Measure,
  type Measured,
  type Measures,
  useGroupName,
  useMeasures,
} from './measures.ts';
import { Charges, Statement } from './records.tsx';
import { formatUtcDay, formatUtcMonth, type Grouping, groupTotals, sum } from './spend.ts';
import { DayTable, GroupTotals, SpendChart } from './spend-chart.tsx';

const RANGES = ['month', 'last', '7', '30', '90'] as const;
const GROUPINGS = ['line_item', 'api_key_id', 'user_id'] as const satisfies readonly Grouping[];
const MONTHS = 13;

type Range = { readonly days: Days; readonly covers: string };

const monthRange = (days: Days): Range => ({ days, covers: texts.usage.inMonth(formatUtcMonth(days.start)) });

/** A name of `RANGES`, a month such as `2026-01`, or two days such as `2026-01-30..2026-02-02`. */
const toRange = (name: string): Range => {
  const now = serverNow();
  if (name === 'last') return monthRange(utcMonth(now, 1));
  if (['7', '30', '90'].includes(name))
    return { days: lastDays(now, Number(name)), covers: texts.usage.inDays(name) };
  if (/^\d{4}-\d{2}$/.test(name)) return monthRange(utcMonth(Date.parse(`${name}-01T00:00:00Z`)));
  const [from = '', to = ''] = name.split('..');
  const days = dayRange(from, to);
  if (days === undefined) return monthRange(utcMonth(now));
  const covers = texts.usage.inRange(formatUtcDay(days.start), formatUtcDay(days.end - 1));
  return { days, covers };
};

/** Without a measure to show, the prices decide. */
const DEFAULT_VIEW = { days: 'month', by: 'line_item', show: '' };

type RangeProps = {
  readonly name: string;
  readonly days: Days;
  readonly onChange: (name: string) => void;
};

const RangeFields = ({ name, days, onChange }: RangeProps) => {
  const months = Array.from({ length: MONTHS }, (_, ago) => utcMonth(serverNow(), ago).start);
  const [from, to] = [isoDay(days.start), isoDay(days.end - 1)];
  return (
    <>
      <Choices
        legend={texts.usage.range}
        value={name}
        choices={RANGES.map((value: string) => ({ value, label: texts.usage.ranges[value] ?? value }))}
        onChange={onChange}
      />
      <SelectField
        label={texts.usage.month}
        value={months.some((start) => isoDay(start).slice(0, 7) === name) ? name : ''}
        options={[
          ['', texts.usage.anyMonth],
          ...months.map((start) => [isoDay(start).slice(0, 7), formatUtcMonth(start)] as const),
        ]}
        onChange={(month) => onChange(month === '' ? 'month' : month)}
      />
      <DayRange
        range={{ from, to }}
        onChange={(change) => {
          const next = { from, to, ...change };
          if (next.from !== '' && next.to !== '') onChange(`${next.from}..${next.to}`);
        }}
      />
    </>
  );
};

/** The budget of the current UTC month; the totals below it may cover another range. */
const Budget = () => {
  const { project_id } = useCurrentSession();
  const title = texts.usage.budget(formatUtcMonth(serverNow() / 1000));
  const { data: limit, error, refetch } = useQuery(spendLimit, project_id);
  if (limit === undefined)
    return error === null ? (
      <section class="card budget" aria-busy="true" />
    ) : (
      <ErrorProblem error={error} retry={refetch} />
    );
  if (limit === null)
    return (
      <section class="card budget">
        <h2>{title}</h2>
        <p class="quiet">{texts.usage.noBudget}</p>
      </section>
    );
  const currency = limit.currency.toUpperCase();
  const left = minus(limit.budget, limit.used);
  const isUsedUp = isNegative(left) || Number(left) === 0;
  return (
    <section class="card budget" aria-labelledby="budget">
      <div class="row spread">
        <h2 id="budget">{title}</h2>
        <p class="quiet small">{texts.usage.resets(formatUtcDay(limit.resets_at))}</p>
      </div>
      <progress
        class={`budget-bar ${isUsedUp ? 'budget-over' : ''}`}
        max={Math.max(Number(limit.budget), Number.MIN_VALUE)}
        value={Math.min(Number(limit.used), Number(limit.budget))}
        aria-labelledby="budget"
      />
      <div class="row spread">
        <p class="number">
          {texts.usage.used(formatMoney(limit.used, currency), formatMoney(limit.budget, currency))}
        </p>
        <p class={`number ${isUsedUp ? 'wrong' : 'quiet'}`}>
          {isUsedUp ? texts.usage.usedUp : texts.usage.left(formatMoney(left, currency))}
        </p>
      </div>
    </section>
  );
};

const totalText = ({ days, format }: Measured): string =>
  days === undefined ? texts.states.none : format(sum(days.flatMap(({ amounts }) => [...amounts.values()])));

type TilesProps = {
  readonly measures: Measures;
  readonly covers: string;
  readonly chosen: Measure;
  readonly onChoose: (measure: Measure) => void;
};

/** The totals of the range; the chart shows the chosen one. */
const MeasureTiles = ({ measures, covers, chosen, onChoose }: TilesProps) => {
  const name = useId();
  return (
    <fieldset class="tiles">
      <legend class="visually-hidden">{texts.usage.measure}</legend>
      {MEASURES.map((measure) => (
        <label key={measure} class="tile">
          <input
            type="radio"
            name={name}
            value={measure}
            checked={measure === chosen}
            onChange={() => onChoose(measure)}
          />
          <span class="quiet small">{texts.usage.measures[measure]}</span>
          <span class="total number">{totalText(measures[measure])}</span>
          <span class="quiet small">{covers}</span>
        </label>
      ))}
    </fieldset>
  );
};

type ByDayProps = {
  readonly measure: Measure;
  readonly grouping: Grouping;
  readonly measured: Measured;
  readonly covers: string;
};

const ByDay = ({ measure, grouping, measured: { days, error, retry, format }, covers }: ByDayProps) => {
  const groupName = useGroupName(grouping);
  if (days === undefined)
    return error === null ? (
      <section class="card chart-place">
        <Waiting />
      </section>
    ) : (
      <ErrorProblem error={error} retry={retry} />
    );
  const totals = groupTotals(days);
  if (totals.length === 0)
    return (
      <Empty title={texts.usage.emptyTitles[measure]} text={texts.usage.emptyText}>
        <Link class="button" href="/playground/video">
          {texts.library.toPlayground}
        </Link>
      </Empty>
    );
  const label = texts.usage.charts[measure];
  return (
    <section class="card stack" aria-label={label}>
      <div class="row spread">
        <h2>{label}</h2>
        <p class="quiet small">{covers}</p>
      </div>
      <SpendChart
        days={days}
        groups={totals.map(([group]) => group)}
        groupName={groupName}
        format={format}
        label={label}
      />
      <GroupTotals totals={totals} format={format} groupName={groupName} />
      <DayTable days={days} format={format} caption={label} />
    </section>
  );
};

export const Usage = () => {
  const { prices, sample_generator } = useCurrentSession();
  const [view, open] = useUrlFilters('/usage', DEFAULT_VIEW);
  const { days, covers } = useMemo(() => toRange(view.days), [view.days]);
  const hasPeople = useHasFeature('people');
  const groupings = GROUPINGS.filter((name) => name !== 'user_id' || hasPeople);
  const grouping = groupings.find((name) => name === view.by) ?? 'line_item';
  const measures = useMeasures(days, grouping, prices);
  const shown = MEASURES.find((name) => name === view.show) ?? defaultMeasure(measures, prices);
  return (
    <>
      <PageTitle title={texts.navigation.usage} description={texts.usage.description} />
      <div class="stack stack-loose">
        <Budget />
        <div class="row toolbar">
          <RangeFields name={view.days} days={days} onChange={(name) => open({ days: name })} />
          <Choices
            legend={texts.usage.by}
            value={grouping}
            choices={groupings.map((value) => ({ value, label: texts.usage.groupings[value] }))}
            onChange={(by) => open({ by })}
          />
        </div>
        {!hasPrices(prices) && <p class="hint">{texts.usage.noPrices}</p>}
        {hasPrices(prices) && sample_generator && <p class="hint">{texts.usage.samplePrices}</p>}
        <MeasureTiles
          measures={measures}
          covers={covers}
          chosen={shown}
          onChoose={(show) => open({ show })}
        />
        <ByDay measure={shown} grouping={grouping} measured={measures[shown]} covers={covers} />
        <Statement measures={measures} grouping={grouping} covers={covers} />
        <Charges days={days} covers={covers} />
      </div>
    </>
  );
};
