import type { Session, SignInLink } from '../../platform/domain/session.ts';
import type { Prices } from '../domain/billing.ts';
import type { Limits } from '../domain/limits.ts';
import type {
  CurrentSessionObject,
  EndedSession,
  LinkObject,
  SessionList,
  SessionObject,
} from './session-schema.ts';

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
