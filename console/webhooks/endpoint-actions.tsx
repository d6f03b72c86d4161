import { Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useMutation } from '../api/use-mutation.ts';
import { deleteEndpoint, type Endpoint, endpoints, updateEndpoint } from '../api/webhooks.ts';
import { Confirm } from '../parts/confirm.tsx';
import { notify } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { RotateDialog, type Rotated } from './rotate-dialog.tsx';
import { ShowSecret } from './show-secret.tsx';
import { TestDialog } from './test-dialog.tsx';

type Asked = 'test' | 'edit' | 'rotate' | 'remove';

const ACTIONS = [
  ['test', texts.webhooks.test],
  ['edit', texts.webhooks.edit],
  ['rotate', texts.webhooks.rotate],
] as const satisfies readonly (readonly [Asked, string])[];

export const EndpointActions = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const { id, name, url, event_types } = endpoint;
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<Asked>();
  const [rotated, setRotated] = useState<Rotated>();
  const close = (): void => setAsked(undefined);
  const remove = useMutation(
    () => deleteEndpoint(id),
    () => {
      void endpoints.invalidate();
      notify(texts.webhooks.removed);
      navigate('/webhooks');
    },
  );
  return (
    <div class="row">
      {ACTIONS.map(([action, label]) => (
        <button key={action} type="button" class="button" onClick={() => setAsked(action)}>
          {label}
        </button>
      ))}
      <button type="button" class="button button-danger" onClick={() => setAsked('remove')}>
        <Trash2 size={16} aria-hidden />
        {texts.webhooks.remove}
      </button>
      <TestDialog endpoint={endpoint} open={asked === 'test'} onClose={close} />
      <EndpointDialog
        title={texts.webhooks.editTitle}
        action={texts.webhooks.save}
        open={asked === 'edit'}
        onClose={close}
        initial={{ name, url, event_types }}
        save={(fields) => updateEndpoint(id, fields)}
        onSaved={close}
      />
      <RotateDialog
        endpoint={endpoint}
        open={asked === 'rotate'}
        onClose={close}
        onRotated={(next) => {
          close();
          setRotated(next);
        }}
      />
      <ShowSecret
        secret={rotated?.secret}
        note={rotated?.keepsOld === true ? texts.webhooks.secretKept : undefined}
        onClose={() => setRotated(undefined)}
      />
      <Confirm
        open={asked === 'remove'}
        title={texts.webhooks.removeTitle(name)}
        text={texts.webhooks.removeText}
        action={texts.webhooks.remove}
        onConfirm={() => void remove.mutate()}
        onClose={close}
        isBusy={remove.isPending}
        error={remove.error}
      />
    </div>
  );
};
