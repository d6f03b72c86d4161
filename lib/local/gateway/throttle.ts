import type { MethodSetting } from './api-definition.ts';
import type { Route } from './routes.ts';

type Bucket = {
  readonly rate: number;
  readonly burst: number;
  tokens: number;
  filledAt: number;
};

/** The stage's throttling: a token bucket a method, as its own setting or the stage's says. */
export const createThrottle = (settings: readonly MethodSetting[], now: () => number = Date.now) => {
  const limits = new Map(settings.map((setting) => [settingKey(setting), setting]));
  const buckets = new Map<string, Bucket>();
  return ({ method, resourcePath }: Pick<Route, 'method' | 'resourcePath'>): boolean => {
    const key = `${method} ${resourcePath}`;
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } =
      limits.get(key) ?? limits.get('* /*') ?? {};
    if (rate === undefined || burst === undefined) return true;
    const bucket = buckets.get(key) ?? { rate, burst, tokens: burst, filledAt: now() };
    buckets.set(key, bucket);
    return take(bucket, now());
  };
};

/** The template writes `/~1v1~1videos` for the path /v1/videos. */
const settingKey = ({ HttpMethod, ResourcePath }: MethodSetting): string =>
  `${HttpMethod} ${ResourcePath.replace(/^\/(?=~1)/, '').replaceAll('~1', '/')}`;

const take = (bucket: Bucket, now: number): boolean => {
  const refilled = bucket.tokens + ((now - bucket.filledAt) / 1000) * bucket.rate;
  bucket.tokens = Math.min(bucket.burst, refilled);
  bucket.filledAt = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
};
