import { createHash } from 'node:crypto';
import type { Role } from './roles.ts';

/** A person is identified by the provider and its name for the person, never by an e-mail address. */
export type Identity = { readonly issuer: string; readonly subject: string };

export const toPersonId = ({ issuer, subject }: Identity): string =>
  `user_${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 32)}`;

export const PERSON_ID = /^user_[0-9a-f]{32}$/;
export const isPersonId = (id: string): boolean => PERSON_ID.test(id);

/** The issuer of people who sign in with links, without a provider; their subject is random. */
export const LINK_ISSUER = 'link';

/** Where a role comes from: a role that the provider's claims give is changed at the provider. */
export const MEMBER_SOURCES = ['invitation', 'provider', 'operator'] as const;
export type MemberSource = (typeof MEMBER_SOURCES)[number];

/** A person's role in one account. */
export type Member = Identity & {
  readonly account: string;
  /** The person's id. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly source: MemberSource;
  readonly addedAt: number;
  readonly lastSignInAt?: number | undefined;
};

/** Finds the role of a signed-in person, for every request of a session that is not cached. */
export type MemberRepository = {
  find(account: string, personId: string): Promise<Member | undefined>;
};
