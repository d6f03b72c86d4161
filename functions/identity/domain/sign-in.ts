import { truncate } from '../../platform/domain/text.ts';
import { type Identity, isEmail, normalizeEmail } from './person.ts';
import { isAtLeast, type Role } from './roles.ts';

/** Why a sign-in is refused; the sign-in page explains each. */
export type SignInError =
  | 'domain_not_allowed'
  | 'email_not_verified'
  | 'not_invited'
  | 'sign_in_expired'
  | 'provider_unavailable'
  | 'access_denied'
  | 'sign_in_failed';

export type Claims = Readonly<Record<string, unknown>>;

/** One row of the setting `signIn.accounts`. */
export type ClaimMapping = {
  /** Undefined for everyone who can sign in. */
  readonly claim?: string | undefined;
  /** `*` for any value. */
  readonly value: string;
  readonly account: string;
  readonly role: Role;
};

export type SignInRules = {
  readonly accounts: readonly ClaimMapping[];
  /** Empty if every address is accepted. */
  readonly emailDomains: readonly string[];
};

/** A person as the provider describes them. */
export type Profile = Identity & {
  /** Empty unless the provider has verified it. */
  readonly email: string;
  readonly hasUnverifiedEmail: boolean;
  readonly name: string;
  readonly claims: Claims;
};

const MAX_NAME = 200;

const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Cognito sends the flag as text; Microsoft Entra ID sends another claim, but not for addresses that users set themselves. */
const isVerified = ({ iss, email_verified, xms_edov }: Claims): boolean =>
  email_verified === true ||
  email_verified === 'true' ||
  (toText(iss).startsWith('https://login.microsoftonline.com/') &&
    [true, 'true', '1', 1].some((yes) => yes === xms_edov));

export const readProfile = (issuer: string, subject: string, claims: Claims): Profile => {
  const given = typeof claims.email === 'string' ? claims.email : '';
  const email = isEmail(given) && isVerified(claims) ? normalizeEmail(given) : '';
  const name = toText(claims.name) || toText(claims.preferred_username) || email;
  return {
    issuer,
    subject,
    email,
    hasUnverifiedEmail: given !== '' && email === '',
    name: truncate(name, MAX_NAME).toWellFormed(),
    claims,
  };
};

/** Undefined if the address, if any is required, is one of an allowed domain. */
export const refuseAddress = (
  { email }: Pick<Profile, 'email'>,
  emailDomains: readonly string[],
): SignInError | undefined => {
  if (emailDomains.length === 0) return undefined;
  if (email === '') return 'email_not_verified';
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return emailDomains.includes(domain) ? undefined : 'domain_not_allowed';
};

const isClaims = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

/** A claim by its whole name or, if there is none, by its path: Keycloak has `realm_access.roles`. */
const readClaim = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (!isClaims(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
};

const claimValues = (claims: Claims, name: string): readonly string[] =>
  [readClaim(claims, name)]
    .flat()
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .map(String);

/** The accounts that the claims give, each with the highest of its roles. */
export const mapClaims = (claims: Claims, mappings: readonly ClaimMapping[]): ReadonlyMap<string, Role> => {
  const roles = new Map<string, Role>();
  for (const { claim, value, account, role } of mappings) {
    const values = claim === undefined ? ['*'] : claimValues(claims, claim);
    if (value === '*' ? values.length === 0 : !values.includes(value)) continue;
    const current = roles.get(account);
    if (current === undefined || !isAtLeast(current, role)) roles.set(account, role);
  }
  return roles;
};

const MAX_RETURN_TO = 1000;
const CONSOLE = '/console';
/** Never requested: relative addresses are resolved against it, to see whether they leave it. */
const NOWHERE = 'https://console.invalid';

/** A path of the console to return to after signing in; anything else leads to its start. */
export const readReturnTo = (given: string | undefined, prefix: string): string => {
  if (given === undefined || given.length > MAX_RETURN_TO) return `${CONSOLE}/`;
  const url = URL.parse(
    given.startsWith(`${prefix}${CONSOLE}`) ? given.slice(prefix.length) : given,
    NOWHERE,
  );
  const isConsole =
    url?.origin === NOWHERE && (url.pathname === CONSOLE || url.pathname.startsWith(`${CONSOLE}/`));
  return isConsole ? `${url.pathname}${url.search}${url.hash}` : `${CONSOLE}/`;
};
