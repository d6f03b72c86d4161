import { usePages } from '../api/use-pages.ts';
import { deliveries } from '../api/webhooks.ts';
import { LoadMore } from '../parts/load-more.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { texts } from '../texts/texts.ts';
import { DeliveryRow } from './delivery-row.tsx';

/** What was sent to an endpoint, and what it answered; new ones appear by themselves. */
export const DeliveryTable = ({ endpointId }: { readonly endpointId: string }) => {
  const { pages, error, refetch, hasMore, isLoadingMore, loadMore } = usePages(deliveries, endpointId);
  const known = pages?.flatMap(({ data }) => data) ?? [];
  return (
    <section class="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{texts.webhooks.deliveries}</h2>
      <p class="hint">{texts.webhooks.deliveriesNote}</p>
      {error !== null && <ErrorProblem error={error} retry={refetch} />}
      {pages === undefined && error === null && <Waiting />}
      {pages !== undefined && known.length === 0 && <p class="quiet">{texts.webhooks.noDeliveries}</p>}
      {known.length > 0 && (
        <div class="card table-card">
          <table class="table table-cards">
            <thead>
              <tr>
                <th scope="col">{texts.webhooks.event}</th>
                <th scope="col">{texts.webhooks.status}</th>
                <th scope="col">{texts.webhooks.lastTry}</th>
                <th scope="col">{texts.webhooks.answer}</th>
                <th scope="col">{texts.webhooks.nextTry}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {known.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} endpointId={endpointId} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore && <LoadMore isBusy={isLoadingMore} onMore={() => void loadMore()} />}
    </section>
  );
};
