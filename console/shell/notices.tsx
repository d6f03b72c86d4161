import { X } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { ApiError } from '../api/errors.ts';
import { useStore } from '../api/hooks.ts';
import { createStore } from '../api/query.ts';
import { connection } from '../api/request.ts';
import { IconButton } from '../parts/buttons.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Tone = 'info' | 'good' | 'bad';
type NoticeOptions = {
  /** A notice replaces the shown one of its group. */
  readonly group?: string;
  readonly link?: { readonly href: string; readonly label: string };
};
type Notice = NoticeOptions & { readonly id: number; readonly text: string; readonly tone: Tone };

export const NOTICE_MS = 7000;
const MAX_SHOWN = 3;

const notices = createStore<readonly Notice[]>([]);
let nextId = 1;

const dismiss = (id: number): void => notices.set(notices.get().filter((notice) => notice.id !== id));

/** Shows a message in the corner of the page, and announces it to screen readers. */
export const notify = (text: string, tone: Tone = 'info', options: NoticeOptions = {}): void => {
  const id = nextId;
  nextId += 1;
  const others = notices.get().filter(({ group }) => group === undefined || group !== options.group);
  notices.set([...others, { ...options, id, text, tone }].slice(-MAX_SHOWN));
  setTimeout(() => dismiss(id), NOTICE_MS);
};

/** Notices belong to the pages of a session. */
export const clearNotices = (): void => notices.set([]);

/** For errors that no part of the page can show. */
export const notifyError = (error: unknown): void => {
  // The end of a session leads to the sign-in page, which explains it.
  if (error instanceof ApiError && error.status === 401) return;
  notify(error instanceof Error ? error.message : String(error), 'bad');
};

/** For actions without a place for their error: it becomes a notice. */
export const orNotify = async (action: () => Promise<unknown>): Promise<void> => {
  try {
    await action();
  } catch (error) {
    notifyError(error);
  }
};

export const Notices = () => {
  const shown = useStore(notices, (all) => all);
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map(({ id, text, tone, link }) => (
        <div key={id} class={`line raised notice notice-${tone}`}>
          <span>
            {text} {link !== undefined && <Link href={link.href}>{link.label}</Link>}
          </span>
          <IconButton icon={X} aria-label={texts.actions.dismiss} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
};

/** Shown at the top while the service cannot be reached, where it covers no button. */
export const ConnectionNotice = () => {
  const isConnected = useStore(connection, (isThere) => isThere);
  return (
    <div class="connection" role="status">
      {!isConnected && <p>{texts.states.offline}</p>}
    </div>
  );
};
