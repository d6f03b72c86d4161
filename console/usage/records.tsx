import { Download } from 'lucide-preact';
import { Link } from 'wouter-preact';
import type { ChargeObject } from '../../functions/billing/api/charge-object.ts';
import { type Days, isoDay } from '../api/days.ts';
import { useMutation, usePages } from '../api/hooks.ts';
import { charges as chargePages, fetchChargeFile } from '../api/usage.ts';
import { Button } from '../parts/buttons.tsx';
import { ActionError, LoadState } from '../parts/feedback.tsx';
import { formatMoney, formatNumber } from '../parts/format.ts';
import { CardTable, LoadMore } from '../parts/lists.tsx';
import { saveFile } from '../parts/object-url.ts';
import { usePersonName } from '../people/names.ts';
import { useCurrentSession, useHasFeature } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { MEASURES, type Measure, type Measures, useGroupName } from './measures.ts';
import { formatUtcTime, type Grouping, groupTotals, sum } from './spend.ts';

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

const fileName = ({ start, end }: Days): string => `charges-${isoDay(start)}-${isoDay(end - 1)}.csv`;

const ChargeTime = ({ charge: { created_at, task_id, file_id } }: { readonly charge: ChargeObject }) => {
  const time = formatUtcTime(created_at);
  const itemId = task_id ?? file_id;
  return itemId === null ? time : <Link href={`/library/${itemId}`}>{time}</Link>;
};

const quantityText = ({ kind, quantity }: ChargeObject): string => {
  const count = formatNumber(quantity);
  return kind === 'video' ? texts.usage.seconds(count) : texts.usage.imageCount(count);
};

const ChargeTable = ({ charges }: { readonly charges: readonly ChargeObject[] }) => {
  const keyName = useGroupName('api_key_id');
  const personName = usePersonName();
  const hasPeople = useHasFeature('people');
  return (
    <CardTable
      rows={charges}
      columns={[
        { title: texts.usage.time, cell: (charge) => <ChargeTime charge={charge} /> },
        {
          title: texts.form.model,
          cell: ({ model, size }) => (
            <span>
              {model} <span class="quiet">{size}</span>
            </span>
          ),
        },
        { title: texts.usage.quantity, cell: quantityText, style: 'cell-end number' },
        { title: texts.keys.key, cell: (charge) => <span dir="auto">{keyName(charge.api_key_id)}</span> },
        ...(hasPeople
          ? [
              {
                title: texts.people.person,
                cell: ({ user_id: id }: ChargeObject) => (
                  <span dir="auto">{id === null ? texts.states.none : personName(id)}</span>
                ),
              },
            ]
          : []),
        {
          title: texts.usage.amount,
          cell: ({ amount }) =>
            amount === null
              ? texts.usage.noAmount
              : formatMoney(amount.decimal, amount.currency.toUpperCase()),
          style: 'cell-end number',
        },
      ]}
    />
  );
};

export const Charges = ({ days, covers }: { readonly days: Days; readonly covers: string }) => {
  const list = usePages(chargePages, days);
  const file = useMutation(
    () => fetchChargeFile(days),
    (text) => saveFile(fileName(days), new Blob([text], { type: 'text/csv' })),
  );
  const charges = list.data?.flatMap(({ data }) => data) ?? [];
  return (
    <section class="stack" aria-labelledby="charges">
      <div class="row spread">
        <div>
          <h2 id="charges">{texts.usage.records}</h2>
          <p class="quiet small">{covers}</p>
        </div>
        {charges.length > 0 && (
          <Button icon={Download} aria-disabled={file.isPending} onClick={() => file.mutate()}>
            {texts.usage.csv}
          </Button>
        )}
      </div>
      <ActionError error={file.error} />
      <LoadState {...list} />
      {list.data !== undefined && charges.length === 0 && <p class="quiet">{texts.usage.noRecords}</p>}
      {charges.length > 0 && <ChargeTable charges={charges} />}
      <LoadMore {...list} />
    </section>
  );
};
