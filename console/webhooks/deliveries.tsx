import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { truncate } from '../../functions/platform/domain/text.ts';
import type { DeliveryObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { useMutation, usePages, useQuery } from '../api/hooks.ts';
import { promptsById } from '../api/videos.ts';
import { deliveries, eventTaskId, resendDelivery } from '../api/webhooks.ts';
import { SmallButton } from '../parts/buttons.tsx';
import { ActionError, LoadState } from '../parts/feedback.tsx';
import { formatNumber, formatTime } from '../parts/format.ts';
import { CardTable, LoadMore } from '../parts/lists.tsx';
import { notify } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

/** Characters of a prompt that name its task. */
const MAX_NAME = 60;

export const DELIVERY_BADGES = {
  pending: 'in_progress',
  delivered: 'completed',
  failed: 'failed',
} as const satisfies Record<DeliveryObject['status'], string>;

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
  const { mutate, isPending, error } = useMutation(async () => {
    try {
      await resendDelivery(endpointId, delivery.id);
      notify(texts.webhooks.resent);
    } finally {
      await deliveries.invalidate();
    }
  });
  if (!useIsAllowed('webhooks')) return null;
  return (
    <>
      <ActionError error={error} />
      <SmallButton aria-disabled={isPending} onClick={() => void mutate()}>
        {texts.webhooks.resend}
        <span class="visually-hidden"> {delivery.event.type}</span>
      </SmallButton>
    </>
  );
};

/** After a failed attempt, a pending delivery is retried at the time that the service names. */
const StatusCell = ({ delivery }: Pick<Props, 'delivery'>) => {
  const { status, attempts, last_attempt, next_attempt_at } = delivery;
  const isRetried = status === 'pending' && last_attempt !== null && next_attempt_at !== null;
  return (
    <span class="row delivery-state">
      <span class={`badge badge-${isRetried ? 'retrying' : DELIVERY_BADGES[status]}`}>
        {isRetried ? texts.webhooks.retrying : texts.webhooks.deliveryStates[status]}
      </span>
      {isRetried && (
        <span class="small number">{texts.webhooks.nextAttemptAt(formatTime(next_attempt_at))}</span>
      )}
      {attempts > 0 && <span class="quiet small">{texts.webhooks.attempts(attempts)}</span>}
    </span>
  );
};

/** The task, or the budget with its share that was used. */
const EventSubject = ({ event, taskName }: Pick<DeliveryObject, 'event'> & { readonly taskName: string }) => {
  const { data } = event;
  if (!('threshold' in data))
    return (
      <Link class="small delivery-task" dir="auto" href={`/library/${data.id}`}>
        {taskName}
      </Link>
    );
  return (
    <Link class="small delivery-task" href="/usage">
      {texts.webhooks.budgetReached(data.threshold, data.limit, data.currency, data.month)}
    </Link>
  );
};

export const Deliveries = ({ endpointId }: { readonly endpointId: string }) => {
  const list = usePages(deliveries, endpointId);
  const { data: names } = useQuery(promptsById);
  const loaded = list.data?.flatMap(({ data }) => data) ?? [];
  const newestTask = loaded.map(({ event }) => eventTaskId(event)).find((id) => id !== undefined);
  const taskName = (id: string): string => truncate(names?.[id] ?? id, MAX_NAME);
  useEffect(() => {
    // A task that is newer than the known prompts.
    if (newestTask !== undefined && names?.[newestTask] === undefined) void promptsById.invalidate();
  }, [newestTask]);
  return (
    <section class="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{texts.webhooks.deliveries}</h2>
      <p class="hint">{texts.webhooks.deliveriesNote}</p>
      <LoadState {...list} />
      {list.data !== undefined && loaded.length === 0 && <p class="quiet">{texts.webhooks.noDeliveries}</p>}
      {loaded.length > 0 && (
        <CardTable
          rows={loaded}
          columns={[
            {
              title: texts.audit.type,
              cell: ({ event }) => (
                <>
                  <code>{event.type}</code>
                  <EventSubject event={event} taskName={taskName(eventTaskId(event) ?? '')} />
                </>
              ),
              style: 'delivery-event',
            },
            { title: texts.library.status, cell: (delivery) => <StatusCell delivery={delivery} /> },
            {
              title: texts.webhooks.lastAttempt,
              cell: ({ last_attempt: last }) => (last === null ? texts.states.none : formatTime(last.at)),
              style: 'number',
            },
            { title: texts.webhooks.response, cell: (each) => <Response attempt={each.last_attempt} /> },
            {
              title: '',
              cell: (delivery) => <Resend delivery={delivery} endpointId={endpointId} />,
              style: 'cell-end',
            },
          ]}
        />
      )}
      <LoadMore {...list} />
    </section>
  );
};
