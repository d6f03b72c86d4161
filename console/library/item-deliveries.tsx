import { Link } from 'wouter-preact';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import type {
  DeliveryList,
  DeliveryObject,
  EndpointList,
} from '../../functions/webhooks/api/webhook-schema.ts';
import { useQuery } from '../api/hooks.ts';
import { createQuery } from '../api/query.ts';
import { getJson, queryString } from '../api/request.ts';
import { eventTaskId } from '../api/webhooks.ts';
import { ErrorProblem } from '../parts/feedback.tsx';
import { texts } from '../texts/texts.ts';
import { DELIVERY_BADGES } from '../webhooks/deliveries.tsx';

type TaskDelivery = {
  readonly endpoint: { readonly id: string; readonly name: string };
  readonly delivery: DeliveryObject;
};

const MAX_PAGES = 5;
const PENDING_POLL_MS = 5000;
/** An event is created a moment after its task has ended. */
const MARGIN_SECONDS = 60;

/** Deliveries are sorted by time, so the search ends with those before the end of the task. */
const findDeliveries = async (
  path: string,
  taskId: string,
  endedAt: number,
  signal: AbortSignal,
): Promise<readonly DeliveryObject[]> => {
  const found: DeliveryObject[] = [];
  let after = '';
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: DeliveryList = await getJson(`${path}${queryString({ limit: 100, after })}`, signal);
    found.push(...page.data.filter(({ event }) => eventTaskId(event) === taskId));
    const oldest = page.data.at(-1);
    const isEnd = oldest === undefined || oldest.created_at < endedAt - MARGIN_SECONDS;
    if (isEnd || !page.has_more) break;
    after = oldest.id;
  }
  return found;
};

const taskDeliveries = createQuery<[taskId: string, endedAt: number], readonly TaskDelivery[]>(
  async (signal, [taskId, endedAt]) => {
    const { data }: EndpointList = await getJson('/v1/webhook_endpoints?limit=100', signal);
    const lists = await Promise.all(
      data.map(async ({ id, name }) => {
        const path = `/v1/webhook_endpoints/${encodeURIComponent(id)}/deliveries`;
        const found = await findDeliveries(path, taskId, endedAt, signal);
        return found.map((delivery) => ({ endpoint: { id, name }, delivery }));
      }),
    );
    return lists.flat();
  },
  {
    pollMs: (found = []) =>
      found.some(({ delivery }) => delivery.status === 'pending') ? PENDING_POLL_MS : undefined,
  },
);

export const ItemDeliveries = ({ video }: { readonly video: VideoObject }) => {
  const endedAt = video.timeline?.completed_at ?? video.timeline?.failed_at ?? video.created_at;
  const { data = [], error, refetch, updatedAt } = useQuery(taskDeliveries, video.id, Math.floor(endedAt));
  return (
    <section class="card stack">
      <h2>{texts.navigation.webhooks}</h2>
      {error !== null && <ErrorProblem error={error} retry={refetch} />}
      {error === null && updatedAt > 0 && data.length === 0 && (
        <p class="quiet small">{texts.library.noDeliveries}</p>
      )}
      {data.length > 0 && (
        <ul class="stack stack-tight">
          {data.map(({ endpoint, delivery }) => (
            <li key={delivery.id} class="row spread">
              <span>
                <Link href={`/webhooks/${endpoint.id}`}>{endpoint.name}</Link>{' '}
                <code class="small">{delivery.event.type}</code>
              </span>
              <span class="row">
                <span class="quiet small">{texts.webhooks.attempts(delivery.attempts)}</span>
                <span class={`badge badge-${DELIVERY_BADGES[delivery.status]}`}>
                  {texts.webhooks.deliveryStates[delivery.status]}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
