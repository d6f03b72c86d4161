import * as z from 'zod/mini';
import { fields, text, timestamp } from '../../platform/body/schema.ts';
import type { Session, SignInLink } from '../../platform/domain/session.ts';
import type { Prices } from '../domain/billing.ts';
import type { Limits } from '../domain/limits.ts';

/** Requests and answers of the console's own endpoints; the builders of the answers return these types. */

export const signInSchema = fields({
  token: text().check(z.describe('The part of a sign-in link after the #; it can be used once.')),
});

const sessionFields = {
  id: z.string().check(z.regex(/^sess_[0-9a-f]{32}$/), z.describe('Stands as key id in charges, too.')),
  object: z.literal('console.session'),
  project_id: z.string().check(z.describe('The account.')),
  created_at: timestamp('When the link was used.'),
  expires_at: timestamp('When the session ends by itself.'),
};

export const sessionSchema = z.object(sessionFields).check(z.describe('A session of the console.'));

export const currentSessionSchema = z
  .object({
    ...sessionFields,
    base_url: z.string().check(z.meta({ format: 'uri', description: 'What API clients use, with /v1.' })),
    prices: z
      .object({
        currency: z.string(),
        video_second: z.record(z.string(), z.string()),
        image: z.record(z.string(), z.string()),
      })
      .check(z.describe('Decimal prices by model and by image size; what has none is absent.')),
    video_retention_days: z.int().check(z.gte(1)),
    sample_generator: z
      .boolean()
      .check(z.describe('Whether videos are samples, and test prompts therefore work.')),
    limits: z
      .object({
        monthly_budget: z.nullable(z.string()),
        videos_at_once: z.nullable(z.int()),
        creates_per_minute: z.nullable(z.int()),
      })
      .check(z.describe('What the account may do; null where there is no such limit.')),
  })
  .check(z.describe('The session that asks, with what the console shows of the service.'));

export const sessionListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.object({ ...sessionFields, current: z.boolean() })),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.literal(false),
  })
  .check(z.describe('The open sessions of the account, the newest first.'));

export const endedSessionSchema = z.object({
  id: z.string(),
  object: z.literal('console.session.deleted'),
  deleted: z.literal(true),
});

export const linkSchema = z
  .object({
    object: z.literal('console.link'),
    url: z.string().check(z.meta({ format: 'uri', description: 'Signs in whoever opens it first.' })),
    expires_at: timestamp('Until when it can be used.'),
  })
  .check(z.describe('A sign-in link.'));

export type SessionObject = z.infer<typeof sessionSchema>;
export type CurrentSessionObject = z.infer<typeof currentSessionSchema>;
export type SessionList = z.infer<typeof sessionListSchema>;
export type EndedSession = z.infer<typeof endedSessionSchema>;
export type LinkObject = z.infer<typeof linkSchema>;

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

export const sessionObject = ({ id, account, createdAt, expiresAt }: Session): SessionObject => ({
  id,
  object: 'console.session',
  project_id: account,
  created_at: seconds(createdAt),
  expires_at: seconds(expiresAt),
});

type Shown = {
  readonly baseUrl: string;
  readonly prices: Prices;
  readonly videoRetentionDays: number;
  readonly sampleGenerator: boolean;
  readonly limits: Limits;
};

export const currentSessionObject = (session: Session, shown: Shown): CurrentSessionObject => ({
  ...sessionObject(session),
  base_url: shown.baseUrl,
  prices: {
    currency: shown.prices.currency,
    video_second: { ...shown.prices.videoSecond },
    image: { ...shown.prices.image },
  },
  video_retention_days: shown.videoRetentionDays,
  sample_generator: shown.sampleGenerator,
  limits: {
    monthly_budget: shown.limits.monthlyBudget ?? null,
    videos_at_once: shown.limits.videosAtOnce ?? null,
    creates_per_minute: shown.limits.createsPerMinute ?? null,
  },
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

/** The token is in the fragment, which no server and no log sees. */
export const linkObject = (
  baseUrl: string,
  token: string,
  { linkUntil }: Pick<SignInLink, 'linkUntil'>,
): LinkObject => ({
  object: 'console.link',
  url: `${baseUrl}/console/sign-in#${token}`,
  expires_at: seconds(linkUntil),
});
