import type { ApiKey } from '../api/shapes.ts';

/** The key that was made last, with its value. It lives in the page's memory only, and goes with it. */
let latest: ApiKey | undefined;

export const rememberNewKey = (created: ApiKey): void => {
  latest = created;
};

export const newKey = (): ApiKey | undefined => latest;
