import type { Caller } from '../../platform/domain/api-key.ts';
import { DomainError } from '../../platform/domain/errors.ts';
import type { SessionAdministration } from '../../platform/domain/ports.ts';
import { isSessionId } from '../../platform/domain/session.ts';

/** Ends one session, that of the caller (`current`) or `all` of the account; returns what was ended. */
export const endSession = async (
  sessions: SessionAdministration,
  { account, keyId }: Caller,
  which: string,
): Promise<string> => {
  if (which === 'all') {
    await sessions.endAll(account);
    return which;
  }
  const id = which === 'current' ? keyId : which;
  if (!isSessionId(id) || !(await sessions.end(account, id)))
    throw new DomainError('not_found', `Session ${which.slice(0, 64)} was not found.`, {
      param: 'session_id',
    });
  return id;
};
