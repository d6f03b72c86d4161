import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { EndpointObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { useQuery } from '../api/hooks.ts';
import { createEndpoint, endpoints as endpointQuery } from '../api/webhooks.ts';
import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { useCreation } from '../parts/dialog.tsx';
import { Empty, LoadState, RoleNote } from '../parts/feedback.tsx';
import { formatDate } from '../parts/format.ts';
import { CardTable } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { EndpointForm, ShowSecret } from './endpoint-dialogs.tsx';
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
    rows={endpoints}
    columns={[
      { title: texts.form.name, cell: ({ id, name }) => <Link href={`/webhooks/${id}`}>{name}</Link> },
      { title: texts.webhooks.url, cell: ({ url }) => <span class="webhook-url">{url}</span> },
      { title: texts.webhooks.events, cell: ({ event_types }) => <code>{event_types.join(', ')}</code> },
      { title: texts.task.steps.created, cell: (each) => formatDate(each.created_at), style: 'number' },
      { title: texts.library.status, cell: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
    ]}
  />
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
  const query = useQuery(endpointQuery);
  const { button, dialogs } = useCreation<string>({
    label: texts.webhooks.create,
    form: (onCreated, close) => (
      <EndpointForm
        action={texts.webhooks.create}
        save={async (fields) => onCreated((await createEndpoint(fields)).signing_secret)}
        onClose={close}
      />
    ),
    show: (secret, close) => <ShowSecret secret={secret} onClose={close} />,
  });
  const endpoints = query.data?.data ?? [];
  const createButton = useIsAllowed('webhooks') && button;
  return (
    <>
      <PageTitle title={texts.navigation.webhooks} description={texts.webhooks.description}>
        {endpoints.length > 0 && createButton}
      </PageTitle>
      <div class="stack">
        <LoadState {...query} />
        <RoleNote action="webhooks" />
        {query.data !== undefined && endpoints.length === 0 && (
          <Empty title={texts.webhooks.emptyTitle} text={texts.webhooks.emptyText}>
            {createButton}
          </Empty>
        )}
        {endpoints.length > 0 && <EndpointTable endpoints={endpoints} />}
        {query.data !== undefined && <HowToVerify />}
      </div>
      {dialogs}
    </>
  );
};
