import { Download } from 'lucide-preact';
import { Link } from 'wouter-preact';
import type { ChargeObject } from '../../functions/billing/api/charge-object.ts';
import { useMutation, usePages } from '../api/hooks.ts';
import { charges as chargePages, type Days, fetchChargeFile } from '../api/usage.ts';
import { ActionError, ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { formatMoney, formatNumber } from '../parts/format.ts';
import { CardTable, LoadMore } from '../parts/lists.tsx';
import { saveFile } from '../parts/object-url.ts';
import { usePersonName } from '../people/person-name.ts';
import { texts } from '../texts/texts.ts';
import { useGroupName } from './measures.ts';
import { formatUtcTime, isoDay } from './spend.ts';

const fileName = ({ start, end }: Days): string => `charges-${isoDay(start)}-${isoDay(end - 1)}.csv`;

type RowProps = { readonly charge: ChargeObject; readonly keyName: string; readonly person: string };

const ChargeRow = ({ charge, keyName, person }: RowProps) => {
  const { created_at, task_id, file_id, model, size, kind, quantity, amount } = charge;
  const time = formatUtcTime(created_at);
  const count = formatNumber(quantity);
  const itemId = task_id ?? file_id;
  return (
    <tr>
      <th scope="row">{itemId === null ? time : <Link href={`/library/${itemId}`}>{time}</Link>}</th>
      <td data-label={texts.form.model}>
        <span>
          {model} <span class="quiet">{size}</span>
        </span>
      </td>
      <td class="cell-end number" data-label={texts.usage.quantity}>
        {kind === 'video' ? texts.usage.seconds(count) : texts.usage.imageCount(count)}
      </td>
      <td data-label={texts.keys.key} dir="auto">
        {keyName}
      </td>
      <td data-label={texts.people.person} dir="auto">
        {person}
      </td>
      <td class="cell-end number" data-label={texts.usage.amount}>
        {amount === null ? texts.usage.noAmount : formatMoney(amount.decimal, amount.currency.toUpperCase())}
      </td>
    </tr>
  );
};

const ChargeTable = ({ charges }: { readonly charges: readonly ChargeObject[] }) => {
  const keyName = useGroupName('api_key_id');
  const personName = usePersonName();
  return (
    <CardTable
      columns={[
        texts.usage.time,
        texts.form.model,
        { title: texts.usage.quantity, isEnd: true },
        texts.keys.key,
        texts.people.person,
        { title: texts.usage.amount, isEnd: true },
      ]}
    >
      {charges.map((charge) => (
        <ChargeRow
          key={charge.id}
          charge={charge}
          keyName={keyName(charge.api_key_id)}
          person={charge.user_id === null ? texts.states.none : personName(charge.user_id)}
        />
      ))}
    </CardTable>
  );
};

/** The charge records of the range, newest first, and a CSV download of all of them. */
export const Charges = ({ days, covers }: { readonly days: Days; readonly covers: string }) => {
  const { pages, error, refetch, hasMore, isLoadingMore, loadMore } = usePages(chargePages, days);
  const file = useMutation(
    () => fetchChargeFile(days),
    (text) => saveFile(fileName(days), new Blob([text], { type: 'text/csv' })),
  );
  const charges = pages?.flatMap((page) => page.data) ?? [];
  return (
    <section class="stack" aria-labelledby="charges">
      <div class="row spread">
        <div>
          <h2 id="charges">{texts.usage.records}</h2>
          <p class="quiet small">{covers}</p>
        </div>
        {charges.length > 0 && (
          <button type="button" class="button" aria-disabled={file.isPending} onClick={() => file.mutate()}>
            <Download size={16} aria-hidden />
            {texts.usage.csv}
          </button>
        )}
      </div>
      <ActionError error={file.error} />
      {error !== null && <ErrorProblem error={error} retry={refetch} />}
      {pages === undefined && error === null && <Waiting />}
      {pages !== undefined && charges.length === 0 && <p class="quiet">{texts.usage.noRecords}</p>}
      {charges.length > 0 && <ChargeTable charges={charges} />}
      {hasMore && <LoadMore isBusy={isLoadingMore} onMore={() => void loadMore()} />}
    </section>
  );
};
