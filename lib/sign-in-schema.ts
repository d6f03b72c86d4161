import * as z from 'zod';
import { ROLES } from '../functions/identity/domain/roles.ts';
import { HOUR } from '../functions/platform/domain/durations.ts';
import { ACCOUNT_NAME } from '../functions/platform/domain/ids.ts';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/|$)/;

/** A provider sends the same text in its tokens, so that it is kept as it is. */
const issuer = z
  .string()
  .refine(
    (text) => (URL.canParse(text) && text.startsWith('https://')) || LOOPBACK.test(text),
    'must be the https address of the provider, as in its discovery document (http only on this machine)',
  )
  .refine((text) => !/[?#]/.test(text), 'must have no query and no fragment');

const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
/** The service sets these parameters itself. */
const RESERVED =
  /^(?:client_id|client_secret|redirect_uri|response_type|response_mode|scope|state|nonce|code|code_challenge|code_challenge_method|request|request_uri)$/;

const mapping = z.strictObject({
  claim: z.string().min(1).max(100).optional(),
  value: z.string().min(1).max(200).default('*'),
  account: z.string().regex(ACCOUNT_NAME, 'must be an account: 1–100 letters, digits, dots, dashes, _ or @'),
  role: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`),
});

/** A user pool that the stack creates. */
const cognito = z.strictObject({
  domainPrefix: z
    .string()
    .regex(
      /^(?!.*(?:aws|amazon|cognito))[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
      'must have 1–63 lowercase letters, digits and hyphens, and must not contain aws, amazon or cognito',
    ),
});

const HOURS_A_DAY = 24;

const signInFields = z.strictObject({
  name: z.string().min(1).max(50).default('single sign-on'),
  issuer: issuer.optional(),
  clientId: z.string().min(1).max(300).optional(),
  clientSecretArn: z
    .string()
    .regex(/^arn:[\w-]+:secretsmanager:/, 'must be the ARN of a secret in Secrets Manager')
    .optional(),
  clientSecretKeyArn: z
    .string()
    .regex(/^arn:[\w-]+:kms:/, 'must be the ARN of a KMS key')
    .optional(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be a scope without spaces'))
    .refine((scopes) => scopes.includes('openid'), 'must include openid')
    .default(['openid', 'email', 'profile']),
  parameters: z
    .record(
      z.string().refine((name) => !RESERVED.test(name), 'the service sets this parameter itself'),
      z.string(),
    )
    .default({}),
  accounts: z.array(mapping).default([]),
  emailDomains: z
    .array(z.string().regex(DOMAIN, 'must be a domain in lower case without @, such as "example.com"'))
    .default([]),
  idleHours: z
    .number()
    .min(1, 'must be at least 1')
    .max(30 * HOURS_A_DAY, 'must be at most 720')
    .default(12),
  maxDays: z.number().min(1, 'must be at least 1').max(365, 'must be at most 365').default(30),
  links: z.boolean().default(true),
  cognito: cognito.optional(),
});

type Fields = z.output<typeof signInFields>;

/** A provider whose users are the whole world. */
const isPublic = (address: string | undefined): boolean =>
  address === 'https://accounts.google.com' || address === 'https://appleid.apple.com';

const isForEveryone = ({ claim }: Fields['accounts'][number]): boolean => claim === undefined;

type Rule = readonly [field: keyof Fields, message: string, isBroken: (given: Fields) => boolean];

const requires = (field: keyof Fields, other: keyof Fields): Rule => [
  field,
  `requires ${other}`,
  (given) => given[field] !== undefined && given[other] === undefined,
];

const RULES: readonly Rule[] = [
  requires('clientId', 'issuer'),
  [
    'clientId',
    'is required with issuer: the provider issues it',
    ({ issuer: address, clientId }) => address !== undefined && clientId === undefined,
  ],
  [
    'cognito',
    'must not be combined with issuer, clientId and clientSecretArn: the stack creates the provider',
    ({ cognito: pool, issuer: address, clientSecretArn }) =>
      pool !== undefined && (address !== undefined || clientSecretArn !== undefined),
  ],
  requires('clientSecretArn', 'issuer'),
  requires('clientSecretKeyArn', 'clientSecretArn'),
  [
    'links',
    'must be true without issuer or cognito: nobody could sign in',
    ({ links, issuer: address, cognito: pool }) => !links && address === undefined && pool === undefined,
  ],
  [
    'emailDomains',
    'is required with this issuer, because accounts has a row without claim: everyone in the world could sign in',
    ({ accounts, emailDomains, issuer: address }) =>
      emailDomains.length === 0 && isPublic(address) && accounts.some(isForEveryone),
  ],
  [
    'emailDomains',
    'requires the scope email',
    ({ emailDomains, scopes }) => emailDomains.length > 0 && !scopes.includes('email'),
  ],
  ['idleHours', 'must be at most maxDays', ({ idleHours, maxDays }) => idleHours > maxDays * HOURS_A_DAY],
];

/** How people sign in to the console. */
export const signInSchema = signInFields.superRefine((given, { addIssue }) => {
  const [field, message] = RULES.find(([, , isBroken]) => isBroken(given)) ?? [];
  if (field !== undefined && message !== undefined) addIssue({ code: 'custom', message, path: [field] });
});

export type SignInSettings = z.output<typeof signInSchema>;
type ProviderAddress = { readonly issuer: string; readonly clientId: string };

/** The settings as the functions read them from their environment. */
export const signInVariables = (
  { name, scopes, parameters, emailDomains, accounts, idleHours, maxDays, links }: SignInSettings,
  provider: ProviderAddress | undefined,
) => ({
  SIGN_IN_NAME: provider === undefined ? '' : name,
  SIGN_IN_ISSUER: provider?.issuer ?? '',
  SIGN_IN_CLIENT_ID: provider?.clientId ?? '',
  SIGN_IN: JSON.stringify({ scopes, parameters, emailDomains, accounts }),
  SIGN_IN_LINKS: links ? 'true' : 'false',
  SESSION_TIMES: JSON.stringify({
    idleMilliseconds: idleHours * HOUR,
    maxMilliseconds: maxDays * HOURS_A_DAY * HOUR,
  }),
});
