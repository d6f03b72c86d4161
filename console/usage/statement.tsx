import type { Grouping } from '../api/usage.ts';
import { CardTable } from '../parts/lists.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { MEASURES, type Measure, type Measures, useGroupName } from './measures.ts';
import { groupTotals, sum } from './spend.ts';

/** In the order of a bill: the quantities, then the money. */
const COLUMNS = ['seconds', 'images', 'spend'] as const satisfies readonly Measure[];

type Props = { readonly measures: Measures; readonly grouping: Grouping; readonly covers: string };

/** All measures by model, key or person in one table, with their sums, to print or to compare with a bill. */
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
  const cell = (measure: Measure, amount: string) => (
    <td key={measure} class="cell-end number" data-label={texts.usage.measures[measure]}>
      {measures[measure].format(amount)}
    </td>
  );
  return (
    <section class="stack statement" aria-labelledby="statement">
      <div class="row spread">
        <div>
          <h2 id="statement">{texts.usage.statement}</h2>
          <p class="quiet small">{texts.usage.statementFor(project_id, covers)}</p>
        </div>
        <button type="button" class="button" onClick={() => print()}>
          {texts.usage.print}
        </button>
      </div>
      <CardTable
        columns={[
          texts.usage.groupings[grouping],
          ...COLUMNS.map((measure) => ({ title: texts.usage.measures[measure], isEnd: true }) as const),
        ]}
      >
        {bySpend.map((group) => (
          <tr key={group}>
            <th scope="row" dir="auto">
              {groupName(group)}
            </th>
            {COLUMNS.map((measure) => cell(measure, totals[measure]?.get(group) ?? '0'))}
          </tr>
        ))}
        <tr class="statement-sum">
          <th scope="row">{texts.usage.total}</th>
          {COLUMNS.map((measure) => cell(measure, sum([...(totals[measure]?.values() ?? [])])))}
        </tr>
      </CardTable>
    </section>
  );
};
