import { X } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useConnection } from '../api/request.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Tone = 'info' | 'good' | 'bad';
type Notice = { readonly id: number; readonly text: string; readonly tone: Tone };

const SHOWN_MS = 7000;
const MAX_SHOWN = 3;

let notices: readonly Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

const change = (next: readonly Notice[]): void => {
  notices = next;
  for (const listener of listeners) listener();
};

const dismiss = (id: number): void => change(notices.filter((notice) => notice.id !== id));

/** Shows a message in the corner of the page, and announces it to screen readers. */
export const notify = (text: string, tone: Tone = 'info'): void => {
  const id = nextId;
  nextId += 1;
  change([...notices, { id, text, tone }].slice(-MAX_SHOWN));
  setTimeout(() => dismiss(id), SHOWN_MS);
};

/** For errors that no part of the page can show. */
export const notifyError = (error: unknown): void =>
  notify(error instanceof Error ? error.message : String(error), 'bad');

export const Notices = () => {
  const [shown, setShown] = useState(notices);
  useEffect(() => {
    const listener = (): void => setShown(notices);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <div key={id} class={`notice notice-${tone}`}>
          <span>{text}</span>
          <button
            type="button"
            class="icon-button"
            aria-label={texts.actions.dismiss}
            onClick={() => dismiss(id)}
          >
            <X size={16} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
};

/** Shown at the top while the service cannot be reached, where it covers no button. */
export const ConnectionNotice = () => {
  const isConnected = useConnection();
  return (
    <div class="connection" role="status">
      {!isConnected && <p>{texts.states.offline}</p>}
    </div>
  );
};
