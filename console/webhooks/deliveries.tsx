import { Link } from 'wouter-preact';
import type { DeliveryObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { useMutation } from '../api/use-mutation.ts';
import { usePages } from '../api/use-query.ts';
import { deliveries, resendDelivery } from '../api/webhooks.ts';
import { ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { formatNumber, formatTime } from '../parts/format.ts';
import { LoadMore } from '../parts/load-more.tsx';
import { CardTable } from '../parts/table.tsx';
import { notify, notifyError } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';

const BADGES = { pending: 'in_progress', delivered: 'completed', failed: 'failed' } as const satisfies Record<
  DeliveryObject['status'],
  string
>;

const Response = ({ attempt }: { readonly attempt: DeliveryObject['last_attempt'] }) => {
  if (attempt === null) return texts.states.none;
  const { status_code, duration_ms, answer, error } = attempt;
  const summary =
    status_code === null
      ? (error ?? texts.states.none)
      : texts.webhooks.responded(status_code, formatNumber(duration_ms));
  if (answer === null || answer === '') return summary;
  return (
    <details class="delivery-answer">
      <summary>{summary}</summary>
      <pre dir="auto">{answer}</pre>
    </details>
  );
};

type Props = { readonly delivery: DeliveryObject; readonly endpointId: string };

const Resend = ({ delivery, endpointId }: Props) => {
  const { mutate, isPending } = useMutation(async () => {
    try {
      await resendDelivery(endpointId, delivery.id);
      notify(texts.webhooks.resent);
    } catch (error) {
      notifyError(error);
    }
    await deliveries.invalidate();
  });
  return (
    <button type="button" class="button button-small" disabled={isPending} onClick={() => void mutate()}>
      {texts.webhooks.resend}
      <span class="visually-hidden"> {delivery.event.type}</span>
    </button>
  );
};

const DeliveryRow = ({ delivery, endpointId }: Props) => {
  const { event, status, attempts, last_attempt, next_attempt_at } = delivery;
  return (
    <tr>
      <th scope="row" class="delivery-event">
        <code>{event.type}</code>
        <Link class="small" href={`/library/${event.data.id}`}>
          {texts.webhooks.task}
        </Link>
      </th>
      <td data-label={texts.webhooks.status}>
        <span class="delivery-state">
          <span class={`badge badge-${BADGES[status]}`}>{texts.webhooks.deliveryStates[status]}</span>
          {attempts > 0 && <span class="quiet small">{texts.webhooks.attempts(attempts)}</span>}
        </span>
      </td>
      <td class="number" data-label={texts.webhooks.lastAttempt}>
        {last_attempt === null ? texts.states.none : formatTime(last_attempt.at)}
      </td>
      <td data-label={texts.webhooks.response}>
        <Response attempt={last_attempt} />
      </td>
      <td class="number" data-label={texts.webhooks.nextAttempt}>
        {next_attempt_at === null ? texts.states.none : formatTime(next_attempt_at)}
      </td>
      <td class="cell-end">
        <Resend delivery={delivery} endpointId={endpointId} />
      </td>
    </tr>
  );
};

/** The deliveries of a webhook endpoint, kept up to date. */
export const Deliveries = ({ endpointId }: { readonly endpointId: string }) => {
  const { pages, error, refetch, hasMore, isLoadingMore, loadMore } = usePages(deliveries, endpointId);
  const loaded = pages?.flatMap(({ data }) => data) ?? [];
  return (
    <section class="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{texts.webhooks.deliveries}</h2>
      <p class="hint">{texts.webhooks.deliveriesNote}</p>
      {error !== null && <ErrorProblem error={error} retry={refetch} />}
      {pages === undefined && error === null && <Waiting />}
      {pages !== undefined && loaded.length === 0 && <p class="quiet">{texts.webhooks.noDeliveries}</p>}
      {loaded.length > 0 && (
        <CardTable
          columns={[
            texts.webhooks.event,
            texts.webhooks.status,
            texts.webhooks.lastAttempt,
            texts.webhooks.response,
            texts.webhooks.nextAttempt,
            '',
          ]}
        >
          {loaded.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} endpointId={endpointId} />
          ))}
        </CardTable>
      )}
      {hasMore && <LoadMore isBusy={isLoadingMore} onMore={() => void loadMore()} />}
    </section>
  );
};
