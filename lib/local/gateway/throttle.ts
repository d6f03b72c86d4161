import type { MethodSetting } from './api-definition.ts';
import type { Route } from './routes.ts';

interface Bucket {
  readonly rate: number;
  readonly burst: number;
  tokens: number;
  filledAt: number;
}

/** The stage's throttling: a token bucket a setting; what no setting limits always passes. */
export function createThrottle(settings: readonly MethodSetting[], now: () => number = Date.now) {
  const buckets = new Map<string, Bucket>();
  for (const {
    HttpMethod,
    ResourcePath,
    ThrottlingRateLimit: rate,
    ThrottlingBurstLimit: burst,
  } of settings) {
    if (rate === undefined || burst === undefined) continue;
    const path = ResourcePath.replace(/^\/(?=~1)/, '').replaceAll('~1', '/');
    buckets.set(`${HttpMethod} ${path}`, { rate, burst, tokens: burst, filledAt: now() });
  }
  return ({ method, resourcePath }: Pick<Route, 'method' | 'resourcePath'>): boolean => {
    const bucket = buckets.get(`${method} ${resourcePath}`) ?? buckets.get('* /*');
    return bucket === undefined || take(bucket, now());
  };
}

function take(bucket: Bucket, now: number): boolean {
  const refilled = bucket.tokens + ((now - bucket.filledAt) / 1000) * bucket.rate;
  bucket.tokens = Math.min(bucket.burst, refilled);
  bucket.filledAt = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
