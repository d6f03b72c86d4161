type Props = {
  readonly closeLabel: string;
  readonly onClose: () => void;
  readonly actionLabel: string;
  readonly onAction: () => void;
  readonly isPending: boolean;
};

/** What a dialog offers: to leave it, or to do what it is for. */
export const DialogActions = ({ closeLabel, onClose, actionLabel, onAction, isPending }: Props) => (
  <div class="row dialog-actions">
    <button type="button" class="button" onClick={onClose}>
      {closeLabel}
    </button>
    <button type="button" class="button button-primary" disabled={isPending} onClick={onAction}>
      {actionLabel}
    </button>
  </div>
);
