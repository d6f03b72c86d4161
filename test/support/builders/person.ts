import { type Member, toPersonId } from '../../../functions/identity/domain/person.ts';
import type { Session } from '../../../functions/identity/domain/session.ts';

const IDENTITY = { issuer: 'https://id.example.com', subject: 'ada' };

/** Ada, who was invited. */
export const aMember = (change: Partial<Member> = {}): Member => ({
  ...IDENTITY,
  account: 'acme',
  id: toPersonId(IDENTITY),
  email: 'ada@example.com',
  name: 'Ada',
  role: 'member',
  source: 'invitation',
  addedAt: 1000,
  ...change,
});

/** The same as it is read from the table. */
export const aStoredMember = (change: Partial<Member> = {}): Member => ({
  ...aMember(),
  memberSince: undefined,
  adminSince: undefined,
  refusedAt: undefined,
  lastSignInAt: undefined,
  ...change,
});

/** A session of an admin without a provider, from one hour before the given time to one hour after it. */
export const aSession = (now: number, change: Partial<Session> = {}): Session => ({
  id: `sess_${'0'.repeat(32)}`,
  account: 'acme',
  createdAt: now - 3_600_000,
  expiresAt: now + 3_600_000,
  endsAt: now + 86_400_000,
  renewAt: now + 1,
  secretHash: 'hash',
  role: 'admin',
  ...change,
});
