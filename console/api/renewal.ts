/** After a failed attempt, for example while the provider cannot be reached. */
const RETRY_MS = 60_000;

type Parts = {
  /** The server's time in milliseconds. */
  readonly now: () => number;
  /** In Unix seconds; undefined while no session is known. */
  readonly renewAt: () => number | undefined;
  readonly renew: () => Promise<void>;
};

export type Renewal = {
  readonly isDue: () => boolean;
  /** Resolves to false if it failed. */
  readonly run: () => Promise<boolean>;
};

/** Extends the session while the console is used. Requests that find it due at the same time share one renewal. */
export const createRenewal = ({ now, renewAt, renew }: Parts): Renewal => {
  let running: Promise<boolean> | undefined;
  let notBefore = 0;
  const attempt = async (): Promise<boolean> => {
    try {
      await renew();
      return true;
    } catch {
      // The request that waits for it shows whether the session has ended.
      notBefore = now() + RETRY_MS;
      return false;
    } finally {
      running = undefined;
    }
  };
  return {
    isDue: () => now() >= Math.max((renewAt() ?? Number.POSITIVE_INFINITY) * 1000, notBefore),
    run: () => {
      running ??= attempt();
      return running;
    },
  };
};
