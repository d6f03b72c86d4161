import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { texts } from '../texts/texts.ts';

type Props = {
  readonly secret: string | undefined;
  readonly note?: string | undefined;
  readonly onClose: () => void;
};

/** The one time that a signing secret can be seen. */
export const ShowSecret = ({ secret, note, onClose }: Props) => (
  <Dialog title={texts.webhooks.secretTitle} open={secret !== undefined} onClose={onClose}>
    <div class="stack">
      <p>{texts.webhooks.secretOnce}</p>
      <div class="key-value">
        <code>{secret}</code>
        <CopyButton text={secret ?? ''} />
      </div>
      {note !== undefined && <p class="hint">{note}</p>}
      <div class="row dialog-actions">
        <button type="button" class="button button-primary" onClick={onClose}>
          {texts.webhooks.secretDone}
        </button>
      </div>
    </div>
  </Dialog>
);
