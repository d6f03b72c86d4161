import { useState } from 'preact/hooks';
import { useMutation } from '../api/use-mutation.ts';
import { type Endpoint, refreshEndpoints, rotateSecret } from '../api/webhooks.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { texts } from '../texts/texts.ts';

export type Rotated = { readonly secret: string; readonly keepsOld: boolean };

type Props = {
  readonly endpoint: Endpoint;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onRotated: (rotated: Rotated) => void;
};

const RotateForm = ({ endpoint, onClose, onRotated }: Omit<Props, 'open'>) => {
  const [keepsOld, setKeepsOld] = useState(true);
  const { mutate, isPending, error } = useMutation(
    () => rotateSecret(endpoint.id, keepsOld),
    ({ signing_secret }) => {
      refreshEndpoints();
      onRotated({ secret: signing_secret, keepsOld });
    },
  );
  return (
    <div class="stack">
      <p>{texts.webhooks.rotateText}</p>
      <label class="switch">
        <input
          type="checkbox"
          checked={keepsOld}
          onChange={({ currentTarget }) => setKeepsOld(currentTarget.checked)}
        />
        {texts.webhooks.keepOld}
      </label>
      {!keepsOld && <p class="hint">{texts.webhooks.dropOld}</p>}
      {error !== null && <ErrorProblem error={error} />}
      <DialogActions
        closeLabel={texts.actions.cancel}
        onClose={onClose}
        actionLabel={texts.webhooks.rotate}
        onAction={() => void mutate()}
        isPending={isPending}
      />
    </div>
  );
};

export const RotateDialog = ({ open, ...form }: Props) => (
  <Dialog title={texts.webhooks.rotate} open={open} onClose={form.onClose}>
    <RotateForm {...form} />
  </Dialog>
);
