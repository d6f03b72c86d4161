import type { KeyObject } from '../../functions/identity/api/key-object.ts';

/** How long caches may still accept a revoked key. */
const REVOCATION_SECONDS = 60;

export const keyState = (
  { revoked_at, expires_at }: Pick<KeyObject, 'revoked_at' | 'expires_at'>,
  nowMs: number,
) => {
  if (revoked_at !== null) {
    const secondsLeft = Math.ceil(revoked_at + REVOCATION_SECONDS - nowMs / 1000);
    return secondsLeft > 0
      ? ({ state: 'revoking', secondsLeft: Math.min(secondsLeft, REVOCATION_SECONDS) } as const)
      : ({ state: 'revoked' } as const);
  }
  return { state: expires_at !== null && expires_at * 1000 <= nowMs ? 'expired' : 'active' } as const;
};

export type KeyState = ReturnType<typeof keyState>;
