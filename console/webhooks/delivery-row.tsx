import { Link } from 'wouter-preact';
import { useMutation } from '../api/use-mutation.ts';
import { type Delivery, deliveries, resendDelivery } from '../api/webhooks.ts';
import { formatNumber, formatTime } from '../parts/format.ts';
import { notify, notifyError } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';

const BADGES = { pending: 'in_progress', delivered: 'completed', failed: 'failed' } as const satisfies Record<
  Delivery['status'],
  string
>;

const Answer = ({ attempt }: { readonly attempt: Delivery['last_attempt'] }) => {
  if (attempt === null) return texts.states.none;
  const { status_code, duration_ms, answer, error } = attempt;
  const summary =
    status_code === null
      ? (error ?? texts.states.none)
      : texts.webhooks.answered(status_code, formatNumber(duration_ms));
  if (answer === null || answer === '') return summary;
  return (
    <details class="delivery-answer">
      <summary>{summary}</summary>
      <pre dir="auto">{answer}</pre>
    </details>
  );
};

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

type Props = { readonly delivery: Delivery; readonly endpointId: string };

export const DeliveryRow = ({ delivery, endpointId }: Props) => {
  const { event, status, attempts, last_attempt, next_attempt_at } = delivery;
  return (
    <tr>
      <th scope="row" class="delivery-event">
        <code>{event.type}</code>
        <Link class="small" href={`/tasks/${event.data.id}`}>
          {texts.webhooks.task}
        </Link>
      </th>
      <td data-label={texts.webhooks.status}>
        <span class="delivery-state">
          <span class={`badge badge-${BADGES[status]}`}>{texts.webhooks.deliveryStates[status]}</span>
          {attempts > 0 && <span class="quiet small">{texts.webhooks.tries(attempts)}</span>}
        </span>
      </td>
      <td class="number" data-label={texts.webhooks.lastTry}>
        {last_attempt === null ? texts.states.none : formatTime(last_attempt.at)}
      </td>
      <td data-label={texts.webhooks.answer}>
        <Answer attempt={last_attempt} />
      </td>
      <td class="number" data-label={texts.webhooks.nextTry}>
        {next_attempt_at === null ? texts.states.none : formatTime(next_attempt_at)}
      </td>
      <td class="cell-end">
        <Resend delivery={delivery} endpointId={endpointId} />
      </td>
    </tr>
  );
};
