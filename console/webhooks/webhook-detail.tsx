import { useState } from 'preact/hooks';
import { useLocation, useParams } from 'wouter-preact';
import type { EndpointObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { ApiError } from '../api/errors.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import {
  deleteEndpoint,
  endpointById,
  endpoints,
  refreshEndpoints,
  updateEndpoint,
} from '../api/webhooks.ts';
import { DeleteButton, DialogButton } from '../parts/dialog.tsx';
import { ActionError, Empty, LoadState, Problem, RoleNote } from '../parts/feedback.tsx';
import { formatTime } from '../parts/format.ts';
import { BackLink, Pairs } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { notify } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { Deliveries } from './deliveries.tsx';
import { EndpointForm, type Rotated, RotateForm, ShowSecret, TestForm } from './endpoint-dialogs.tsx';
import { EndpointBadge } from './webhooks.tsx';

type Props = { readonly endpoint: EndpointObject };

const explainState = ({ status, disabled_reason, failing_since }: EndpointObject): string | undefined => {
  if (status === 'disabled' && disabled_reason !== null)
    return texts.webhooks.disabledBecause[disabled_reason];
  return failing_since === null ? undefined : texts.webhooks.failingSince(formatTime(failing_since));
};

const StateProblem = ({ endpoint }: Props) => {
  const { id, name, url, event_types, status } = endpoint;
  const enable = useMutation(
    () => updateEndpoint(id, { name, url, event_types }),
    () => {
      refreshEndpoints();
      notify(texts.webhooks.enabled, 'good');
    },
  );
  const mayChange = useIsAllowed('webhooks');
  const explanation = explainState(endpoint);
  const action = { label: texts.webhooks.enable, run: () => void enable.mutate() };
  return (
    <>
      {explanation !== undefined && (
        <Problem message={explanation} {...(status === 'disabled' && mayChange ? { action } : {})} />
      )}
      <ActionError error={enable.error} />
    </>
  );
};

const Actions = ({ endpoint }: Props) => {
  const { id, name, url, event_types } = endpoint;
  const [, navigate] = useLocation();
  const [rotated, setRotated] = useState<Rotated>();
  if (!useIsAllowed('webhooks')) return <RoleNote action="webhooks" />;
  return (
    <div class="row">
      <DialogButton label={texts.webhooks.test}>
        {(close) => <TestForm endpoint={endpoint} onClose={close} />}
      </DialogButton>
      <DialogButton title={texts.webhooks.editTitle} label={texts.actions.edit}>
        {(close) => (
          <EndpointForm
            action={texts.actions.save}
            initial={{ name, url, event_types }}
            save={(fields) => updateEndpoint(id, fields).then(close)}
            onClose={close}
          />
        )}
      </DialogButton>
      <DialogButton label={texts.webhooks.rotate}>
        {(close) => (
          <RotateForm
            endpoint={endpoint}
            onClose={close}
            onRotated={(next) => {
              refreshEndpoints();
              close();
              setRotated(next);
            }}
          />
        )}
      </DialogButton>
      <DeleteButton
        title={texts.webhooks.removeTitle(name)}
        text={texts.webhooks.removeText}
        onConfirm={() => deleteEndpoint(id)}
        onDone={() => {
          void endpoints.invalidate();
          notify(texts.webhooks.removed);
          navigate('/webhooks');
        }}
      />
      <ShowSecret
        secret={rotated?.secret}
        note={rotated?.keepsOldSecret === true ? texts.webhooks.secretKept : undefined}
        onClose={() => setRotated(undefined)}
      />
    </div>
  );
};

const Detail = ({ endpoint }: Props) => (
  <div class="stack stack-loose">
    <StateProblem endpoint={endpoint} />
    <section class="card stack">
      <Pairs
        pairs={[
          [texts.webhooks.url, <span class="webhook-url">{endpoint.url}</span>],
          [texts.webhooks.events, <code>{endpoint.event_types.join(', ')}</code>],
          [texts.webhooks.secretHint, <code>{endpoint.signing_secret_hint}</code>],
          [texts.task.steps.created, formatTime(endpoint.created_at)],
        ]}
      />
      <Actions endpoint={endpoint} />
    </section>
    <Deliveries endpointId={endpoint.id} />
  </div>
);

export const WebhookDetail = () => {
  const { id = '' } = useParams<{ id: string }>();
  const { data: endpoint, error, refetch } = useQuery(endpointById, id);
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <>
      <p>
        <BackLink href="/webhooks">{texts.webhooks.back}</BackLink>
      </p>
      <PageTitle title={endpoint?.name ?? texts.navigation.webhooks}>
        {endpoint !== undefined && <EndpointBadge endpoint={endpoint} />}
      </PageTitle>
      {isGone && <Empty title={texts.webhooks.notFoundTitle} text={texts.task.notFoundText} />}
      {!isGone && <LoadState data={endpoint} error={error} refetch={refetch} />}
      {endpoint !== undefined && !isGone && <Detail endpoint={endpoint} />}
    </>
  );
};
