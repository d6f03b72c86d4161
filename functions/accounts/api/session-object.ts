import * as z from 'zod/mini';
import { toSeconds } from '../../platform/api/parameters.ts';
import { openFields, text, timestamp } from '../../platform/body/schema.ts';
import type { Session, SignInLink } from '../../platform/domain/session.ts';
import type { Prices } from '../domain/billing.ts';
import { BUDGET_THRESHOLDS, type BudgetThreshold } from '../domain/budget.ts';
import type { Limits } from '../domain/limits.ts';

export const signInSchema = openFields({
  token: text().check(z.describe('The part of a sign-in link after the #. It can be used once.')),
});

const sessionFields = {
  id: z.string().check(z.regex(/^sess_[0-9a-f]{32}$/), z.describe('Charges also name it as the key id.')),
  object: z.literal('console.session'),
  project_id: z.string().check(z.describe('The account.')),
  created_at: timestamp('When the link was used.'),
  expires_at: timestamp('When the session expires.'),
};

export const sessionSchema = z.object(sessionFields).check(z.describe('A console session.'));

export const currentSessionSchema = z
  .object({
    ...sessionFields,
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
    data: z.array(z.object({ ...sessionFields, current: z.boolean() })),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.literal(false),
  })
  .check(z.describe('The open sessions of the account, newest first.'));

export const endedSessionSchema = z.object({
  id: z.string(),
  object: z.literal('console.session.deleted'),
  deleted: z.literal(true),
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
export type LinkObject = z.infer<typeof linkSchema>;

export const sessionObject = ({ id, account, createdAt, expiresAt }: Session): SessionObject => ({
  id,
  object: 'console.session',
  project_id: account,
  created_at: toSeconds(createdAt),
  expires_at: toSeconds(expiresAt),
});

type ServiceSettings = {
  readonly baseUrl: string;
  readonly prices: Prices;
  readonly videoRetentionDays: number;
  readonly sampleGenerator: boolean;
  readonly imageBytes: number;
  readonly limits: Limits;
  /** Undefined if the account has no budget. */
  readonly budget:
    | { readonly used: string; readonly limit: string; readonly threshold: BudgetThreshold | null }
    | undefined;
};

export const currentSessionObject = (session: Session, settings: ServiceSettings): CurrentSessionObject => ({
  ...sessionObject(session),
  base_url: settings.baseUrl,
  prices: {
    currency: settings.prices.currency,
    video_second: { ...settings.prices.videoSecond },
    image: { ...settings.prices.image },
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

export const sessionList = (sessions: readonly Session[], currentId: string): SessionList => ({
  object: 'list',
  data: sessions.map((session) => ({ ...sessionObject(session), current: session.id === currentId })),
  first_id: sessions.at(0)?.id ?? null,
  last_id: sessions.at(-1)?.id ?? null,
  has_more: false,
});

export const endedSession = (id: string): EndedSession => ({
  id,
  object: 'console.session.deleted',
  deleted: true,
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
