import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { EndpointObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { useQuery } from '../api/hooks.ts';
import { createEndpoint, endpoints as endpointQuery } from '../api/webhooks.ts';
import { Plus } from '../page-icons.mjs';
import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Empty, ErrorProblem, RoleNote, Waiting } from '../parts/feedback.tsx';
import { formatDate } from '../parts/format.ts';
import { CardTable } from '../parts/lists.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { EndpointDialog, ShowSecret } from './endpoint-dialogs.tsx';
import { VERIFY_CODE, VERIFY_LANGUAGES, type VerifyLanguage } from './verify-code.ts';

type State = keyof typeof texts.webhooks.states;

const BADGES = { enabled: 'completed', failing: 'failed', disabled: 'failed' } as const satisfies Record<
  State,
  string
>;

const endpointState = ({ status, failing_since }: EndpointObject): State => {
  if (status === 'disabled') return 'disabled';
  return failing_since === null ? 'enabled' : 'failing';
};

export const EndpointBadge = ({ endpoint }: { readonly endpoint: EndpointObject }) => {
  const state = endpointState(endpoint);
  return <span class={`badge badge-${BADGES[state]}`}>{texts.webhooks.states[state]}</span>;
};

const EndpointTable = ({ endpoints }: { readonly endpoints: readonly EndpointObject[] }) => (
  <CardTable
    columns={[
      texts.webhooks.name,
      texts.webhooks.url,
      texts.webhooks.events,
      texts.webhooks.created,
      texts.webhooks.status,
    ]}
  >
    {endpoints.map((endpoint) => (
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
  </CardTable>
);

const HowToVerify = () => {
  const [language, setLanguage] = useState<VerifyLanguage>('node');
  return (
    <section class="card stack">
      <h2>{texts.webhooks.verify}</h2>
      <p>{texts.webhooks.verifyText}</p>
      <Choices
        legend={texts.code.label}
        value={language}
        choices={VERIFY_LANGUAGES.map((value) => ({ value, label: texts.code.names[value] }))}
        onChange={setLanguage}
      />
      <CodeBlock code={VERIFY_CODE[language]} label={texts.code.names[language]} />
      <p class="hint">{texts.webhooks.verifyNote}</p>
    </section>
  );
};

export const Webhooks = () => {
  const { data, error, refetch } = useQuery(endpointQuery);
  const [isCreating, setIsCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const endpoints = data?.data ?? [];
  const mayChange = useIsAllowed('webhooks');
  const createButton = mayChange && (
    <button type="button" class="button button-primary" onClick={() => setIsCreating(true)}>
      <Plus size={18} aria-hidden />
      {texts.webhooks.create}
    </button>
  );
  return (
    <>
      <PageTitle title={texts.webhooks.title} description={texts.webhooks.description}>
        {endpoints.length > 0 && createButton}
      </PageTitle>
      <div class="stack">
        {error !== null && <ErrorProblem error={error} retry={refetch} />}
        {data === undefined && error === null && <Waiting />}
        <RoleNote action="webhooks" />
        {data !== undefined && endpoints.length === 0 && (
          <Empty title={texts.webhooks.emptyTitle} text={texts.webhooks.emptyText}>
            {createButton}
          </Empty>
        )}
        {endpoints.length > 0 && <EndpointTable endpoints={endpoints} />}
        {data !== undefined && <HowToVerify />}
      </div>
      <EndpointDialog
        title={texts.webhooks.create}
        action={texts.webhooks.create}
        open={isCreating}
        onClose={() => setIsCreating(false)}
        save={createEndpoint}
        onSaved={({ signing_secret }) => {
          setIsCreating(false);
          setSecret(signing_secret);
        }}
      />
      <ShowSecret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
};
