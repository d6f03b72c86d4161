import { ApiError } from '../api/api-error.ts';
import { clearQueries } from '../api/query.ts';
import { endSession } from '../api/session.ts';
import { CONSOLE_BASE } from '../environment.ts';
import { notifyError } from './notices.tsx';

/** Leaves by loading the page anew, so that nothing of the session stays in its memory. */
export const signOut = async (id: string): Promise<void> => {
  try {
    await endSession(id);
  } catch (error) {
    const isOver = error instanceof ApiError && error.status === 401;
    if (!isOver) {
      notifyError(error);
      return;
    }
  }
  clearQueries();
  location.assign(`${CONSOLE_BASE}/sign-in`);
};
