import type { AuditEntry } from './audit.ts';
import type { OpenedSession, Session, SignInLink } from './session.ts';

/** A stored link; one that has become a session has no time. */
export type StoredLink = Omit<SignInLink, 'createdAt' | 'linkUntil'> & {
  readonly linkUntil: number | undefined;
};

/** An entry is written together with its change; commands without an audit log give none. */
export type SessionAdministration = {
  addLink(link: SignInLink, entry?: AuditEntry): Promise<void>;
  findLink(id: string): Promise<StoredLink | undefined>;
  /** Turns a link into a session once; false if it was used or has expired. */
  redeem(link: StoredLink, session: OpenedSession, entry?: AuditEntry): Promise<boolean>;
  /** Includes expired sessions that are not removed yet. */
  list(account: string): Promise<readonly Session[]>;
  /** False if the account has no such session. */
  end(account: string, id: string, entry?: AuditEntry): Promise<boolean>;
  /** Ends the sessions of an account and its unused links; returns the number of sessions. */
  endAll(account: string, toEntry?: (sessionId: string) => AuditEntry): Promise<number>;
};
