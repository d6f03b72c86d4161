import * as z from 'zod/mini';
import { IMAGE_SIZES, type ImageSize } from '../../images/domain/image-request.ts';
import { toSeconds } from '../../platform/api/parameters.ts';
import { videoCapabilitiesObject, videoCapabilitiesSchema } from '../../platform/api/video-capabilities.ts';
import { openFields, text, timestamp } from '../../platform/body/schema.ts';
import type { Member } from '../../platform/domain/person.ts';
import { ROLES, type Role } from '../../platform/domain/roles.ts';
import type { Session, SignInLink } from '../../platform/domain/session.ts';
import type { VideoCapabilities } from '../../upstream/domain/upstreams.ts';
import type { Prices } from '../domain/billing.ts';
import { BUDGET_THRESHOLDS, type BudgetThreshold } from '../domain/budget.ts';
import type { Limits } from '../domain/limits.ts';

export const signInSchema = openFields({
  token: text().check(
    z.describe('The part of a sign-in link or of an invitation after the #. It can be used once.'),
  ),
});

export const switchSchema = openFields({
  project_id: text().check(z.describe('Another account of the signed-in person.')),
});

export const newLinkSchema = openFields({
  user_id: z.optional(
    text().check(z.describe('The person whom the link signs in; without it, whoever opens the link.')),
  ),
});

export const signInOptionsSchema = z
  .object({
    object: z.literal('console.sign_in'),
    provider: z
      .nullable(z.object({ issuer: z.string(), name: z.string() }))
      .check(z.describe('The OpenID Connect provider. Null if there is none.')),
    links: z.boolean().check(z.describe('Whether sign-in links can be used.')),
  })
  .check(z.describe('How people can sign in.'));

const sessionFields = {
  id: z.string().check(z.regex(/^sess_[0-9a-f]{32}$/), z.describe('Charges also name it as the key id.')),
  object: z.literal('console.session'),
  project_id: z.string().check(z.describe('The account.')),
  created_at: timestamp('When the session was opened.'),
  expires_at: timestamp('When the session ends unless it is renewed.'),
  renew_at: timestamp('When to renew the session. Before this time a renewal changes nothing.'),
  ends_at: timestamp('When the session ends in any case.'),
};

const userSchema = z
  .nullable(z.object({ id: z.string(), name: z.string(), email: z.string() }))
  .check(z.describe('The signed-in person. Null for a sign-in link without a person.'));
const roleSchema = z.enum(ROLES);

export const sessionSchema = z.object(sessionFields).check(z.describe('A console session.'));

export const currentSessionSchema = z
  .object({
    ...sessionFields,
    role: roleSchema.check(z.describe('The role in this account.')),
    user: userSchema,
    accounts: z
      .array(z.object({ project_id: z.string(), role: roleSchema }))
      .check(z.describe('The accounts of the person, by name.')),
    provider: z
      .nullable(z.object({ name: z.string() }))
      .check(z.describe('The OpenID Connect provider of the session. Null if a link opened it.')),
    base_url: z
      .string()
      .check(z.meta({ format: 'uri', description: 'The address of the service. API clients append /v1.' })),
    prices: z
      .object({
        currency: z.string(),
        video_second: z.record(z.string(), z.string()),
        image: z.record(z.string(), z.string()),
      })
      .check(z.describe('Decimal prices by model and by image size. Entries without a price are absent.')),
    offers: z
      .object({
        video: z
          .record(z.string(), z.array(videoCapabilitiesSchema))
          .check(
            z.describe(
              'By model, the options of each upstream. A request is accepted if one upstream offers all of it.',
            ),
          ),
        image: z.boolean().check(z.describe('Whether images can be generated.')),
        image_sizes: z.array(z.enum(IMAGE_SIZES)).check(z.describe('The resolutions of images.')),
      })
      .check(z.describe('What this deployment can generate.')),
    video_retention_days: z.int().check(z.gte(1)),
    sample_generator: z.boolean().check(z.describe('Whether videos are samples and test prompts work.')),
    image_bytes: z
      .int()
      .check(z.gte(1), z.describe('How many bytes the images of a request may have together.')),
    limits: z
      .object({
        monthly_budget: z.nullable(z.string()),
        videos_at_once: z.nullable(z.int()),
        creates_per_minute: z.nullable(z.int()),
      })
      .check(z.describe('Limits of the account. Null means no limit.')),
    budget: z
      .nullable(
        z.object({
          used: z.string().check(z.describe('The amount charged and reserved this UTC month, exactly.')),
          limit: z.string(),
          currency: z.string(),
          threshold: z
            .nullable(z.literal(BUDGET_THRESHOLDS))
            .check(z.describe('In percent: null below 80. 100 also if a request did not fit into the rest.')),
        }),
      )
      .check(z.describe('The monthly budget of the account. Null without one.')),
  })
  .check(z.describe('The caller’s session, and settings of the service that the console shows.'));

export const sessionListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.object({ ...sessionFields, role: roleSchema, user: userSchema, current: z.boolean() })),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.literal(false),
  })
  .check(z.describe('The open sessions, newest first: all of the account for admins, their own for others.'));

export const endedSessionSchema = z.object({
  id: z.string(),
  object: z.literal('console.session.deleted'),
  deleted: z.literal(true),
  sign_out_url: z
    .nullable(z.string())
    .check(z.describe('Where the browser signs out of the provider. Null if there is nothing to do.')),
});

export const linkSchema = z
  .object({
    object: z.literal('console.link'),
    url: z.string().check(z.meta({ format: 'uri', description: 'Signs in the first person who opens it.' })),
    expires_at: timestamp('When it expires.'),
  })
  .check(z.describe('A sign-in link.'));

export type SessionObject = z.infer<typeof sessionSchema>;
export type CurrentSessionObject = z.infer<typeof currentSessionSchema>;
export type SessionList = z.infer<typeof sessionListSchema>;
export type EndedSession = z.infer<typeof endedSessionSchema>;
export type SignInObject = z.infer<typeof signInOptionsSchema>;
export type LinkObject = z.infer<typeof linkSchema>;

type SessionTimesAndPlace = Pick<
  Session,
  'id' | 'account' | 'createdAt' | 'expiresAt' | 'renewAt' | 'endsAt'
>;

export const sessionObject = (session: SessionTimesAndPlace): SessionObject => ({
  id: session.id,
  object: 'console.session',
  project_id: session.account,
  created_at: toSeconds(session.createdAt),
  expires_at: toSeconds(session.expiresAt),
  renew_at: toSeconds(session.renewAt),
  ends_at: toSeconds(session.endsAt),
});

type SignInOptions = {
  readonly provider: { readonly issuer: string; readonly name: string } | undefined;
  readonly links: boolean;
};

export const signInObject = ({ provider, links }: SignInOptions): SignInObject => ({
  object: 'console.sign_in',
  provider: provider ?? null,
  links,
});

/** A signed-in person's role in this account, and their other accounts. */
type SignedIn = {
  readonly role: Role;
  readonly member: Member | undefined;
  readonly memberships: readonly Member[];
  /** Undefined for a session that a link opened. */
  readonly providerName: string | undefined;
};

const userObject = (member: Member | undefined) =>
  member === undefined ? null : { id: member.id, name: member.name, email: member.email };

type ServiceSettings = {
  readonly baseUrl: string;
  readonly prices: Prices;
  readonly offers: {
    readonly video: Readonly<Record<string, readonly VideoCapabilities[]>>;
    readonly image: boolean;
    readonly imageSizes: readonly ImageSize[];
  };
  readonly videoRetentionDays: number;
  readonly sampleGenerator: boolean;
  readonly imageBytes: number;
  readonly limits: Limits;
  /** Undefined if the account has no budget. */
  readonly budget:
    | { readonly used: string; readonly limit: string; readonly threshold: BudgetThreshold | null }
    | undefined;
};

export const currentSessionObject = (
  session: SessionTimesAndPlace,
  { role, member, memberships, providerName }: SignedIn,
  settings: ServiceSettings,
): CurrentSessionObject => ({
  ...sessionObject(session),
  role,
  user: userObject(member),
  accounts: memberships.map((each) => ({ project_id: each.account, role: each.role })),
  provider: providerName === undefined ? null : { name: providerName },
  base_url: settings.baseUrl,
  prices: {
    currency: settings.prices.currency,
    video_second: { ...settings.prices.videoSecond },
    image: { ...settings.prices.image },
  },
  offers: {
    video: Object.fromEntries(
      Object.entries(settings.offers.video).map(([model, sets]) => [
        model,
        sets.map(videoCapabilitiesObject),
      ]),
    ),
    image: settings.offers.image,
    image_sizes: [...settings.offers.imageSizes],
  },
  video_retention_days: settings.videoRetentionDays,
  sample_generator: settings.sampleGenerator,
  image_bytes: settings.imageBytes,
  limits: {
    monthly_budget: settings.limits.monthlyBudget ?? null,
    videos_at_once: settings.limits.videosAtOnce ?? null,
    creates_per_minute: settings.limits.createsPerMinute ?? null,
  },
  budget: settings.budget === undefined ? null : { ...settings.budget, currency: settings.prices.currency },
});

export const sessionList = (
  sessions: readonly Session[],
  members: readonly Member[],
  currentId: string,
): SessionList => ({
  object: 'list',
  data: sessions.map((session) => {
    const member = members.find(({ id }) => id === session.personId);
    return {
      ...sessionObject(session),
      role: member?.role ?? session.role,
      user: userObject(member),
      current: session.id === currentId,
    };
  }),
  first_id: sessions.at(0)?.id ?? null,
  last_id: sessions.at(-1)?.id ?? null,
  has_more: false,
});

export const endedSession = (id: string, signOutUrl: string | undefined): EndedSession => ({
  id,
  object: 'console.session.deleted',
  deleted: true,
  sign_out_url: signOutUrl ?? null,
});

/** The token is in the fragment, which browsers do not send, so no log contains it. */
export const linkObject = (
  baseUrl: string,
  token: string,
  { linkUntil }: Pick<SignInLink, 'linkUntil'>,
): LinkObject => ({
  object: 'console.link',
  url: `${baseUrl}/console/sign-in#${token}`,
  expires_at: toSeconds(linkUntil),
});
