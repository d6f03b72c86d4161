/** The texts of the sign-in page, which signed-in people do not load. */
export const signInTexts = {
  title: 'Sign in',
  link: 'This link signs you in once, in this browser.',
  button: (account: string | undefined) => (account === undefined ? 'Sign in' : `Sign in to ${account}`),
  pending: 'Signing in…',
  provider: (name: string) => `Sign in with ${name}`,
  otherIdentity: (name: string) => `Use another account of ${name}`,
  refused: (identity: string) => `You tried to sign in as ${identity}.`,
  removed: 'Your access to this account was removed. An admin of the account can invite you again.',
  linkToo: 'Have a one-time link? Just open it.',
  invitation: (account: string | undefined) =>
    account === undefined ? 'You are invited to an account.' : `You are invited to the account ${account}.`,
  invitationProvider: (name: string) => `Sign in with ${name} to accept the invitation.`,
  invitationLink: 'Accept the invitation to sign in, in this browser.',
  accept: (account: string | undefined) => (account === undefined ? 'Accept' : `Join ${account}`),
  invitationExpired:
    'This invitation no longer works. Each works once, within 7 days. Ask an admin of the account for a new one.',
  ended: 'Your session has ended. Sign in again to continue where you were: your drafts are kept.',
  noLink: 'You need a one-time link to sign in. Create one where the service was started or deployed:',
  expired: 'This link no longer works. Each link works once, within 15 minutes. Create a new one:',
  linksDisabled: 'Sign-in links are switched off in this service.',
  noWay:
    'Nobody can sign in: the service has no provider, and sign-in links are switched off. Ask the operator.',
  command: 'npm run -s console -- sign-in --account ACCOUNT',
  commandDeployed: 'For a deployed stack, add --stack and its name.',
  commandLocal:
    'A service started with npm start also prints a link. If it was started with --data, add the same --data.',
  fromColleague: 'An admin of your account can also create one for you, in Settings.',
  /** By the code that the callback adds to the address. */
  errors: {
    domain_not_allowed:
      'Your e-mail address does not belong to a domain that may sign in here. Use the address of your company, or ask an admin.',
    email_not_verified:
      'The provider has not verified your e-mail address. Verify it there, then sign in again.',
    not_invited:
      'This address does not belong to an account yet. Ask an admin to invite it, or use another one.',
    sign_in_expired: 'The sign-in took too long, or its address was opened twice. Sign in again.',
    provider_unavailable: 'The provider cannot be reached. Try again in a moment.',
    access_denied: 'The sign-in was cancelled, or the provider did not allow it.',
    sign_in_failed: 'The sign-in failed. Try again; if it fails again, tell the operator.',
  },
} as const;
