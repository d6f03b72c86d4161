import type { AuditEntry } from './audit.ts';
import type { MemberChange } from './membership.ts';
import type { Invitation, Member } from './person.ts';
import type { RenewedTimes } from './renewal.ts';
import type { Session } from './session.ts';
import type { Claims } from './sign-in.ts';

export type ProviderFailure =
  /** The person or the provider's policy said no. */
  | 'denied'
  /** The code or the refresh token is used, expired or revoked. */
  | 'refused'
  /** The provider does not answer, or reports that it is unavailable. */
  | 'unavailable'
  /** The answer cannot be trusted, or the client is not registered as configured. */
  | 'invalid';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly failure: ProviderFailure;
  /** Replaces the one that was used, if the provider failed after it had issued the next one. */
  readonly nextRefreshToken: string | undefined;

  constructor(failure: ProviderFailure, cause: unknown, nextRefreshToken?: string) {
    super(cause instanceof Error ? cause.message : 'the provider failed', { cause });
    this.failure = failure;
    this.nextRefreshToken = nextRefreshToken;
  }
}

export type ProviderTokens = {
  readonly subject: string;
  readonly claims: Claims;
  readonly refreshToken?: string | undefined;
  readonly idToken?: string | undefined;
};

/** A refresh may confirm a person without naming any claims. */
export type RefreshedTokens = Omit<ProviderTokens, 'claims'> & { readonly claims: Claims | undefined };

/** The secrets that bind a sign-in to the browser that started it. */
export type AttemptSecrets = {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
};

/** The OpenID Connect provider. Its methods throw a ProviderError. */
export type OpenIdProvider = {
  /** Where the browser goes to sign in. The person can be asked which of their identities to use. */
  authorizationUrl(attempt: AttemptSecrets, choosesIdentity?: boolean): Promise<string>;
  /** Exchanges the code of a callback for the person's claims. */
  redeemCode(parameters: URLSearchParams, attempt: AttemptSecrets): Promise<ProviderTokens>;
  refresh(refreshToken: string, subject: string): Promise<RefreshedTokens>;
  /** Ends the provider's own session; undefined if it does not support that. */
  signOutUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined>;
};

export type PersonDirectory = {
  find(account: string, personId: string): Promise<Member | undefined>;
  listByPerson(personId: string): Promise<readonly Member[]>;
  findInvitation(account: string, id: string): Promise<Invitation | undefined>;
  listInvitationsByEmail(email: string): Promise<readonly Invitation[]>;
};

/** Tokens that are stored encrypted. */
export type StoredTokens = {
  readonly refreshToken?: string | undefined;
  readonly signOutUrl?: string | undefined;
};

export type NewSession = {
  readonly session: Session;
  /** The cookie's secret, which encrypts the tokens. */
  readonly secret: string;
  readonly tokens: StoredTokens;
};

/** What is written together with a session. */
export type Written = {
  readonly changes?: readonly MemberChange[];
  readonly entries: readonly AuditEntry[];
};

/** Writes sessions together with the memberships and entries that belong to them: everything or nothing. */
export type SessionWrites = {
  /** False if a membership or the session was changed meanwhile. */
  open(opened: NewSession, written: Written & { readonly ends?: Session }): Promise<boolean>;
  /** Changes memberships without a session, for a person who is refused. */
  record(written: Written): Promise<boolean>;
  /** False if the session has ended, or a membership was changed meanwhile. */
  renew(
    session: Session,
    renewed: RenewedTimes & { readonly refreshToken?: string | undefined; readonly secret: string },
    written: Written,
  ): Promise<boolean>;
  /** Reserves the right to use the refresh token, which must not be used twice; false if another request has it. */
  lease(session: Session, now: number, until: number): Promise<boolean>;
  end(session: Session, written: Written): Promise<boolean>;
  /** The tokens of a session; throws if the secret is another one's. */
  tokens(session: Session, secret: string): Promise<StoredTokens>;
};
