import type { Grouping } from '../api/usage.ts';
import { Button } from '../parts/buttons.tsx';
import { CardTable } from '../parts/lists.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { MEASURES, type Measure, type Measures, useGroupName } from './measures.ts';
import { groupTotals, sum } from './spend.ts';

/** In the order of a bill: the quantities, then the money. */
const COLUMNS = ['seconds', 'images', 'spend'] as const satisfies readonly Measure[];

type Props = { readonly measures: Measures; readonly grouping: Grouping; readonly covers: string };

export const Statement = ({ measures, grouping, covers }: Props) => {
  const groupName = useGroupName(grouping);
  const { project_id } = useCurrentSession();
  const totals = Object.fromEntries(
    MEASURES.map((measure) => [measure, new Map(groupTotals(measures[measure].days ?? []))]),
  );
  const groups = [
    ...new Set(MEASURES.toReversed().flatMap((measure) => [...(totals[measure]?.keys() ?? [])])),
  ];
  if (groups.length === 0) return null;
  const bySpend = groups.toSorted(
    (one, other) => Number(totals.spend?.get(other) ?? 0) - Number(totals.spend?.get(one) ?? 0),
  );
  const amount = (measure: Measure, group: string | undefined): string =>
    group === undefined ? sum([...(totals[measure]?.values() ?? [])]) : (totals[measure]?.get(group) ?? '0');
  return (
    <section class="stack statement" aria-labelledby="statement">
      <div class="row spread">
        <div>
          <h2 id="statement">{texts.usage.statement}</h2>
          <p class="quiet small">{texts.usage.statementFor(project_id, covers)}</p>
        </div>
        <Button onClick={() => print()}>{texts.usage.print}</Button>
      </div>
      <CardTable
        // The last row has the sums.
        rows={[...bySpend, undefined]}
        rowKey={(group) => String(group)}
        rowStyle={(group) => (group === undefined ? 'statement-sum' : '')}
        columns={[
          {
            title: texts.usage.groupings[grouping],
            cell: (group) => (group === undefined ? texts.usage.total : groupName(group)),
          },
          ...COLUMNS.map((measure) => ({
            title: texts.usage.measures[measure],
            cell: (group: string | undefined) => measures[measure].format(amount(measure, group)),
            style: 'cell-end number',
          })),
        ]}
      />
    </section>
  );
};
