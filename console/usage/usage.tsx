import { useId, useMemo } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { isNegative, minus } from '../../functions/platform/domain/money.ts';
import { serverNow } from '../api/clock.ts';
import { useQuery } from '../api/hooks.ts';
import { type Days, type Grouping, spendLimit } from '../api/usage.ts';
import { Choices } from '../parts/choices.tsx';
import { Empty, ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { formatMoney, hasPrices } from '../parts/format.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { Charges } from './charges.tsx';
import {
  defaultMeasure,
  MEASURES,
  type Measure,
  type Measured,
  type Measures,
  useGroupName,
  useMeasures,
} from './measures.ts';
import { currentMonth, formatUtcDay, formatUtcMonth, groupTotals, lastDays, sum } from './spend.ts';
import { DayTable, GroupTotals, SpendChart } from './spend-chart.tsx';

const RANGES = ['month', '7', '30', '90'] as const;
type Range = (typeof RANGES)[number];
const GROUPINGS = ['line_item', 'api_key_id', 'user_id'] as const satisfies readonly Grouping[];

const toDays = (range: Range): Days =>
  range === 'month' ? currentMonth(serverNow()) : lastDays(serverNow(), Number(range));

/** What every total of the page covers, in words. */
const coverage = (range: Range, { start }: Days): string =>
  range === 'month' ? texts.usage.inMonth(formatUtcMonth(start)) : texts.usage.inDays(range);

type View = { readonly days: string; readonly by: string; readonly show: string };

/** The view is part of the URL, so that it can be shared and the back button works. */
const useView = () => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const view = {
    days: RANGES.find((days) => days === search.get('days')) ?? 'month',
    by: GROUPINGS.find((name) => name === search.get('by')) ?? 'line_item',
  } as const;
  const show = MEASURES.find((name) => name === search.get('show'));
  const open = (change: Partial<View>): void =>
    navigate(`/usage?${new URLSearchParams({ ...view, ...(show && { show }), ...change })}`);
  return [{ ...view, show }, open] as const;
};

/** The budget of the current UTC month; the totals below it may cover another range. */
const Budget = () => {
  const { project_id } = useCurrentSession();
  const title = texts.usage.budget(formatUtcMonth(serverNow() / 1000));
  const { data: limit, error, refetch } = useQuery(spendLimit, project_id);
  if (error !== null) return <ErrorProblem error={error} retry={refetch} />;
  if (limit === undefined) return <section class="card budget" aria-busy="true" />;
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
          <span class="tile-name">{texts.usage.measures[measure]}</span>
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
  if (days === undefined) return error === null ? <Waiting /> : <ErrorProblem error={error} retry={retry} />;
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
  const [view, open] = useView();
  const days = useMemo(() => toDays(view.days), [view.days]);
  const covers = coverage(view.days, days);
  const measures = useMeasures(days, view.by, prices);
  const shown = view.show ?? defaultMeasure(measures, prices);
  return (
    <>
      <PageTitle title={texts.usage.title} description={texts.usage.description} />
      <div class="stack stack-loose">
        <Budget />
        <div class="row toolbar">
          <Choices
            legend={texts.usage.range}
            value={view.days}
            choices={RANGES.map((value) => ({ value, label: texts.usage.ranges[value] }))}
            onChange={(value) => open({ days: value })}
          />
          <Choices
            legend={texts.usage.by}
            value={view.by}
            choices={GROUPINGS.map((value) => ({ value, label: texts.usage.groupings[value] }))}
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
        <ByDay measure={shown} grouping={view.by} measured={measures[shown]} covers={covers} />
        <Charges days={days} covers={covers} />
      </div>
    </>
  );
};
