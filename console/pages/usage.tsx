import { Download } from 'lucide-preact';
import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { serverNow } from '../api/clock.ts';
import { useKeys } from '../api/keys.ts';
import type { Grouping } from '../api/shapes.ts';
import { useCosts } from '../api/usage.ts';
import { Choices } from '../parts/choices.tsx';
import { Empty } from '../parts/empty.tsx';
import { formatMoney } from '../parts/format.ts';
import { ErrorProblem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { Waiting } from '../parts/waiting.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts.ts';
import { daysUntil } from '../usage/days.ts';
import { groupTotals, type SpendDay, spendByDay, spendCsv, totalOf } from '../usage/spend.ts';
import { SpendChart } from '../usage/spend-chart.tsx';
import { DayTable, GroupTotals } from '../usage/spend-tables.tsx';

const RANGES = ['7', '30', '90'] as const;
const GROUPINGS = ['line_item', 'api_key_id'] as const satisfies readonly Grouping[];

/** Keys by their names; a session's own requests are the console's. */
const useGroupName = (): ((group: string) => string) => {
  const { project_id } = useCurrentSession();
  const { data } = useKeys(project_id);
  return (group) => {
    if (group.startsWith('sess_')) return texts.usage.console;
    const name = data?.data.find(({ id }) => id === group)?.name ?? group;
    return name === '' ? texts.states.none : name;
  };
};

const Spend = ({ days }: { readonly days: readonly SpendDay[] }) => {
  const { prices } = useCurrentSession();
  const nameOf = useGroupName();
  const totals = groupTotals(days);
  const { currency } = prices;
  if (totals.length === 0) return <Empty title={texts.usage.emptyTitle} text={texts.usage.emptyText} />;
  return (
    <div class="stack">
      <section class="card stack">
        <div class="row spread">
          <p class="total number">{formatMoney(totalOf(totals.map(([, total]) => total)), currency)}</p>
          <button
            type="button"
            class="button"
            onClick={() =>
              saveFile('usage.csv', new Blob([spendCsv(days, currency, nameOf)], { type: 'text/csv' }))
            }
          >
            <Download size={16} aria-hidden />
            {texts.usage.csv}
          </button>
        </div>
        <SpendChart days={days} groups={totals.map(([group]) => group)} currency={currency} />
        <GroupTotals totals={totals} currency={currency} nameOf={nameOf} />
      </section>
      <DayTable days={days} currency={currency} />
    </div>
  );
};

export const Usage = () => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const { prices } = useCurrentSession();
  const range = RANGES.find((days) => days === search.get('days')) ?? '30';
  const grouping = GROUPINGS.find((name) => name === search.get('by')) ?? 'line_item';
  const [start, end] = useMemo(() => daysUntil(serverNow(), Number(range)), [range]);
  const { data, error, refetch } = useCosts(start, end, grouping);
  const open = (days: string, by: string): void => navigate(`/usage?days=${days}&by=${by}`);
  const hasPrices = Object.keys(prices.video_second).length + Object.keys(prices.image).length > 0;
  return (
    <>
      <PageTitle title={texts.usage.title} description={texts.usage.description} />
      <div class="stack">
        <div class="row toolbar">
          <Choices
            legend={texts.usage.range}
            value={range}
            choices={RANGES.map((value) => ({ value, label: texts.usage.ranges[value] }))}
            onChange={(days) => open(days, grouping)}
          />
          <Choices
            legend={texts.usage.by}
            value={grouping}
            choices={GROUPINGS.map((value) => ({ value, label: texts.usage.groupings[value] }))}
            onChange={(by) => open(range, by)}
          />
        </div>
        {!hasPrices && <p class="hint">{texts.usage.noPrices}</p>}
        {error !== null && <ErrorProblem error={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <Waiting />}
        {data !== undefined && <Spend days={spendByDay(data, grouping)} />}
      </div>
    </>
  );
};
