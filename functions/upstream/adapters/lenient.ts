import * as z from 'zod/mini';

/** Reads a value that does not match, also a missing one, as the fallback. `z.catch` would add 10 KB to a bundle. */
export const lenient = <Output, Fallback>(
  schema: z.ZodMiniType<Output>,
  fallback: Fallback,
): z.ZodMiniType<Output | Fallback> =>
  z.pipe(
    z.optional(z.unknown()),
    z.transform((value): Output | Fallback => {
      const parsed = schema.safeParse(value);
      return parsed.success ? parsed.data : fallback;
    }),
  );

export const lenientText = lenient(z.string(), undefined);

/** Far above any count of an upstream, so that sums of counts can be stored and read. */
const MAX_COUNT = 1_000_000_000;

export const lenientCount = lenient(z.int().check(z.gte(0), z.lte(MAX_COUNT)), 0);
