import { ArrowLeft } from 'lucide-preact';
import { Link, useParams } from 'wouter-preact';
import { ApiError } from '../api/api-error.ts';
import { useMutation } from '../api/use-mutation.ts';
import { useQuery } from '../api/use-query.ts';
import { type Endpoint, endpointById, refreshEndpoints, updateEndpoint } from '../api/webhooks.ts';
import { Empty } from '../parts/empty.tsx';
import { formatTime } from '../parts/format.ts';
import { ErrorProblem, Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { notify } from '../shell/notices.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/texts.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointBadge, stateSentence } from './endpoint-state.tsx';

const State = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const { id, name, url, event_types, status } = endpoint;
  const enable = useMutation(
    () => updateEndpoint(id, { name, url, event_types }),
    () => {
      refreshEndpoints();
      notify(texts.webhooks.enabled, 'good');
    },
  );
  const sentence = stateSentence(endpoint);
  const action = { label: texts.webhooks.enable, run: () => void enable.mutate() };
  return (
    <>
      {sentence !== undefined && (
        <Problem message={sentence} {...(status === 'disabled' ? { action } : {})} />
      )}
      {enable.error !== null && <ErrorProblem error={enable.error} />}
    </>
  );
};

const Detail = ({ endpoint }: { readonly endpoint: Endpoint }) => (
  <div class="stack stack-loose">
    <State endpoint={endpoint} />
    <section class="card stack">
      <dl class="pairs">
        <div>
          <dt>{texts.webhooks.url}</dt>
          <dd class="webhook-url">{endpoint.url}</dd>
        </div>
        <div>
          <dt>{texts.webhooks.events}</dt>
          <dd>
            <code>{endpoint.event_types.join(', ')}</code>
          </dd>
        </div>
        <div>
          <dt>{texts.webhooks.secretHint}</dt>
          <dd>
            <code>{endpoint.signing_secret_hint}</code>
          </dd>
        </div>
        <div>
          <dt>{texts.webhooks.created}</dt>
          <dd>{formatTime(endpoint.created_at)}</dd>
        </div>
      </dl>
      <EndpointActions endpoint={endpoint} />
    </section>
    <DeliveryTable endpointId={endpoint.id} />
  </div>
);

export const WebhookDetail = () => {
  const { id = '' } = useParams<{ id: string }>();
  const { data: endpoint, error, refetch } = useQuery(endpointById, id);
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <>
      <p>
        <Link href="/webhooks" class="row back-link">
          <ArrowLeft size={16} aria-hidden />
          {texts.webhooks.back}
        </Link>
      </p>
      <PageTitle title={endpoint?.name ?? texts.webhooks.title}>
        {endpoint !== undefined && <EndpointBadge endpoint={endpoint} />}
      </PageTitle>
      {isGone && <Empty title={texts.webhooks.notFoundTitle} text={texts.webhooks.notFoundText} />}
      {error !== null && !isGone && <ErrorProblem error={error} retry={refetch} />}
      {endpoint === undefined && error === null && <Waiting />}
      {endpoint !== undefined && !isGone && <Detail endpoint={endpoint} />}
    </>
  );
};
