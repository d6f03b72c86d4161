import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useQuery } from '../api/use-query.ts';
import { createEndpoint, type Endpoint, endpoints } from '../api/webhooks.ts';
import { Empty } from '../parts/empty.tsx';
import { formatDate } from '../parts/format.ts';
import { ErrorProblem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/texts.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EndpointBadge } from './endpoint-state.tsx';
import { HowToVerify } from './how-to-verify.tsx';
import { ShowSecret } from './show-secret.tsx';

const EndpointTable = ({ known }: { readonly known: readonly Endpoint[] }) => (
  <div class="card table-card">
    <table class="table table-cards">
      <thead>
        <tr>
          <th scope="col">{texts.webhooks.name}</th>
          <th scope="col">{texts.webhooks.url}</th>
          <th scope="col">{texts.webhooks.events}</th>
          <th scope="col">{texts.webhooks.created}</th>
          <th scope="col">{texts.webhooks.status}</th>
        </tr>
      </thead>
      <tbody>
        {known.map((endpoint) => (
          <tr key={endpoint.id}>
            <th scope="row" dir="auto">
              <Link href={`/webhooks/${endpoint.id}`}>{endpoint.name}</Link>
            </th>
            <td data-label={texts.webhooks.url}>
              <span class="webhook-url">{endpoint.url}</span>
            </td>
            <td data-label={texts.webhooks.events}>
              <code>{endpoint.event_types.join(', ')}</code>
            </td>
            <td class="number" data-label={texts.webhooks.created}>
              {formatDate(endpoint.created_at)}
            </td>
            <td data-label={texts.webhooks.status}>
              <EndpointBadge endpoint={endpoint} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const Webhooks = () => {
  const { data, error, refetch } = useQuery(endpoints);
  const [creates, setCreates] = useState(false);
  const [secret, setSecret] = useState<string>();
  const known = data?.data ?? [];
  const createButton = (
    <button type="button" class="button button-primary" onClick={() => setCreates(true)}>
      <Plus size={18} aria-hidden />
      {texts.webhooks.create}
    </button>
  );
  return (
    <>
      <PageTitle title={texts.webhooks.title} description={texts.webhooks.description}>
        {known.length > 0 && createButton}
      </PageTitle>
      <div class="stack">
        {error !== null && <ErrorProblem error={error} retry={refetch} />}
        {data === undefined && error === null && <Waiting />}
        {data !== undefined && known.length === 0 && (
          <Empty title={texts.webhooks.emptyTitle} text={texts.webhooks.emptyText}>
            {createButton}
          </Empty>
        )}
        {known.length > 0 && <EndpointTable known={known} />}
        {data !== undefined && <HowToVerify />}
      </div>
      <EndpointDialog
        title={texts.webhooks.create}
        action={texts.webhooks.create}
        open={creates}
        onClose={() => setCreates(false)}
        save={createEndpoint}
        onSaved={({ signing_secret }) => {
          setCreates(false);
          setSecret(signing_secret);
        }}
      />
      <ShowSecret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
};
