import { useState } from 'preact/hooks';
import type { EndpointObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { useMutation } from '../api/hooks.ts';
import { rotateSecret, testEndpoint } from '../api/webhooks.ts';
import { Dialog, DialogActions, ShowOnce } from '../parts/dialog.tsx';
import { ActionError } from '../parts/feedback.tsx';
import { SelectField } from '../parts/field.tsx';
import { texts } from '../texts/texts.ts';

type Props = {
  readonly endpoint: EndpointObject;
  readonly open: boolean;
  readonly onClose: () => void;
};

const TestForm = ({ endpoint, onClose }: Omit<Props, 'open'>) => {
  const [type, setType] = useState<string>(endpoint.event_types[0] ?? '');
  const { mutate, isPending, error, data } = useMutation(() => testEndpoint(endpoint.id, type));
  return (
    <div class="stack">
      <p>{texts.webhooks.testText}</p>
      <SelectField
        label={texts.webhooks.event}
        value={type}
        options={endpoint.event_types.map((name) => [name, name] as const)}
        onChange={setType}
      />
      <div role="status">
        {data !== undefined && (
          <p class="badge badge-completed">{texts.webhooks.testResponse(data.status_code)}</p>
        )}
      </div>
      <ActionError error={error} />
      <DialogActions
        action={texts.webhooks.testSend}
        onAction={() => void mutate()}
        onClose={onClose}
        closeLabel={texts.actions.close}
        isPending={isPending}
      />
    </div>
  );
};

/** Sends a sample event and shows the response. */
export const TestDialog = ({ open, ...form }: Props) => (
  <Dialog title={texts.webhooks.test} open={open} onClose={form.onClose}>
    <TestForm {...form} />
  </Dialog>
);

export type Rotated = { readonly secret: string; readonly keepsOldSecret: boolean };

type RotateProps = Props & { readonly onRotated: (rotated: Rotated) => void };

const RotateForm = ({ endpoint, onClose, onRotated }: Omit<RotateProps, 'open'>) => {
  const [keepsOldSecret, setKeepsOldSecret] = useState(true);
  const { mutate, isPending, error } = useMutation(
    () => rotateSecret(endpoint.id, keepsOldSecret),
    ({ signing_secret }) => onRotated({ secret: signing_secret, keepsOldSecret }),
  );
  return (
    <div class="stack">
      <p>{texts.webhooks.rotateText}</p>
      <label class="switch">
        <input
          type="checkbox"
          checked={keepsOldSecret}
          onChange={({ currentTarget }) => setKeepsOldSecret(currentTarget.checked)}
        />
        {texts.webhooks.keepOld}
      </label>
      {!keepsOldSecret && <p class="hint">{texts.webhooks.dropOld}</p>}
      <ActionError error={error} />
      <DialogActions
        action={texts.webhooks.rotate}
        onAction={() => void mutate()}
        onClose={onClose}
        isPending={isPending}
      />
    </div>
  );
};

export const RotateDialog = ({ open, ...form }: RotateProps) => (
  <Dialog title={texts.webhooks.rotate} open={open} onClose={form.onClose}>
    <RotateForm {...form} />
  </Dialog>
);

type SecretProps = {
  readonly secret: string | undefined;
  readonly note?: string | undefined;
  readonly onClose: () => void;
};

export const ShowSecret = ({ secret, note, onClose }: SecretProps) => (
  <ShowOnce
    title={texts.webhooks.secretTitle}
    text={texts.webhooks.secretOnce}
    value={secret}
    done={texts.webhooks.secretDone}
    onClose={onClose}
  >
    {note !== undefined && <p class="hint">{note}</p>}
  </ShowOnce>
);
