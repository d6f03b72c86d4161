import { MINUTE } from '../../platform/domain/durations.ts';
import { isOverdue, type Session, type SessionTimes, sessionTimes } from './session.ts';

/** A person who is removed at the provider loses access within this time. */
export const CHECK_MILLISECONDS = 60 * MINUTE;
/** While the provider cannot be asked, signed-in people stay signed in for this time, and ask again sooner. */
const OUTAGE_CHECK = 10 * MINUTE;
const OUTAGE_RENEWAL = 5 * MINUTE;

export type RenewalStep =
  /** There is nothing to renew yet. */
  | 'keep'
  /** The idle time starts again. */
  | 'extend'
  /** The provider is asked whether the person may still sign in. */
  | 'ask'
  /** Without a refresh token the person goes through the provider again. */
  | 'sign-in';

export const planRenewal = (session: Session, now: number): RenewalStep => {
  const { renewAt, checkUntil, sealedRefreshToken } = session;
  if (now < renewAt && !isOverdue(session, now)) return 'keep';
  if (checkUntil === undefined) return 'extend';
  if (sealedRefreshToken !== undefined) return 'ask';
  return isOverdue(session, now) ? 'sign-in' : 'keep';
};

export type RenewedTimes = Pick<Session, 'expiresAt' | 'renewAt' | 'checkUntil'>;

/** The times of a session of a person whom the provider has just confirmed. */
export const checkedTimes = (
  now: number,
  endsAt: number,
  times: Pick<SessionTimes, 'idleMilliseconds'>,
): RenewedTimes => ({ ...sessionTimes(now, endsAt, times), checkUntil: now + CHECK_MILLISECONDS });

export const extendedTimes = (
  { endsAt, checkUntil }: Session,
  now: number,
  times: Pick<SessionTimes, 'idleMilliseconds'>,
): RenewedTimes => ({ ...sessionTimes(now, endsAt, times), checkUntil });

/** The idle time does not start again, so that an outage extends no session beyond it. */
export const outageTimes = ({ expiresAt }: Session, now: number): RenewedTimes => ({
  expiresAt,
  renewAt: Math.min(now + OUTAGE_RENEWAL, expiresAt),
  checkUntil: Math.min(now + OUTAGE_CHECK, expiresAt),
});
