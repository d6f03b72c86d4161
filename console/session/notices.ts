import { ApiError } from '../api/errors.ts';
import { createStore } from '../api/query.ts';

type Tone = 'info' | 'good' | 'bad';
type NoticeOptions = {
  /** A notice replaces the shown one of its group. */
  readonly group?: string;
  readonly link?: { readonly href: string; readonly label: string };
};
type Notice = NoticeOptions & { readonly id: number; readonly text: string; readonly tone: Tone };

export const NOTICE_MS = 7000;
const MAX_SHOWN = 3;

export const notices = createStore<readonly Notice[]>([]);
let nextId = 1;

export const dismiss = (id: number): void => notices.set(notices.get().filter((notice) => notice.id !== id));

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
