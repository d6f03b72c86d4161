import { useMemo } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { serverNow } from '../api/clock.ts';
import type { Grouping } from '../api/shapes.ts';
import { Choices } from '../parts/choices.tsx';
import { Empty } from '../parts/empty.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts/texts.ts';
import { Budget } from './budget.tsx';
import { Charges } from './charges.tsx';
import { daysUntil } from './days.ts';
import { useGroupName } from './group-name.ts';
import { MeasureTiles } from './measure-tiles.tsx';
import { firstMeasure, hasPrices, MEASURES, type Measure, type Measured, useMeasures } from './measures.ts';
import { groupTotals } from './spend.ts';
import { SpendChart } from './spend-chart.tsx';
import { DayTable, GroupTotals } from './spend-tables.tsx';

const RANGES = ['7', '30', '90'] as const;
const GROUPINGS = ['line_item', 'api_key_id'] as const satisfies readonly Grouping[];

type ByDayProps = { readonly measure: Measure; readonly measured: Measured };

const ByDay = ({ measure, measured: { days, error, retry, format } }: ByDayProps) => {
  const nameOf = useGroupName();
  if (days === undefined) return error === null ? <Waiting /> : <ErrorProblem error={error} retry={retry} />;
  const totals = groupTotals(days);
  if (totals.length === 0)
    return (
      <Empty title={texts.usage.emptyTitles[measure]} text={texts.usage.emptyText}>
        <Link class="button" href="/playground/video">
          {texts.tasks.toPlayground}
        </Link>
      </Empty>
    );
  const label = texts.usage.charts[measure];
  return (
    <section class="card stack" aria-label={label}>
      <SpendChart days={days} groups={totals.map(([group]) => group)} format={format} label={label} />
      <GroupTotals totals={totals} format={format} nameOf={nameOf} />
      <DayTable days={days} format={format} caption={label} />
    </section>
  );
};

type View = { readonly days: string; readonly by: string; readonly show: string };

/** What is looked at is in the address, so that it can be shared and gone back from. */
const useView = () => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const view = {
    days: RANGES.find((days) => days === search.get('days')) ?? '30',
    by: GROUPINGS.find((name) => name === search.get('by')) ?? 'line_item',
  } as const;
  const show = MEASURES.find((name) => name === search.get('show'));
  const open = (change: Partial<View>): void =>
    navigate(`/usage?${new URLSearchParams({ ...view, ...(show && { show }), ...change })}`);
  return [{ ...view, show }, open] as const;
};

export const Usage = () => {
  const { prices } = useCurrentSession();
  const [view, open] = useView();
  const days = useMemo(() => {
    const [start, end] = daysUntil(serverNow(), Number(view.days));
    return { start, end };
  }, [view.days]);
  const measures = useMeasures(days, view.by, prices);
  const shown = view.show ?? firstMeasure(measures, prices);
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
        <MeasureTiles measures={measures} chosen={shown} onChoose={(show) => open({ show })} />
        <ByDay measure={shown} measured={measures[shown]} />
        <Charges days={days} />
      </div>
    </>
  );
};
