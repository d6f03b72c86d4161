/** How many creates an account has left in the present minute. */
export type RateLimit = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
};
