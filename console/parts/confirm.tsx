import { texts } from '../texts/texts.ts';
import { Dialog } from './dialog.tsx';
import { ErrorProblem } from './problem.tsx';

type Props = {
  readonly open: boolean;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly isBusy: boolean;
  readonly error: Error | null;
};

/** Asks before what cannot be undone. */
export const Confirm = ({ open, title, text, action, onConfirm, onClose, isBusy, error }: Props) => (
  <Dialog title={title} open={open} onClose={onClose}>
    <div class="stack">
      <p>{text}</p>
      {error !== null && <ErrorProblem error={error} />}
      <div class="row dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {texts.actions.cancel}
        </button>
        <button type="button" class="button button-destructive" disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </div>
  </Dialog>
);
