import type { LinkObject, SessionList } from '../../functions/accounts/api/session-object.ts';
import { createQuery } from './query.ts';
import { getJson, sendJson } from './request.ts';
import { endSession } from './session.ts';
import { updateEntry } from './update-entry.ts';

export type ListedSession = SessionList['data'][number];

export const sessions = createQuery<[], SessionList>((signal) => getJson('/v1/console/sessions', signal));

export const endOtherSession = async (id: string): Promise<void> => {
  await endSession(id);
  // Removed from the list at once, so that "Sign out everywhere" does not end it a second time.
  updateEntry(sessions.entry(), (known) => ({
    ...known,
    data: known.data.filter((session) => session.id !== id),
  }));
  void sessions.invalidate();
};

export const createLink = (): Promise<LinkObject> => sendJson('POST', '/v1/console/links', {});
