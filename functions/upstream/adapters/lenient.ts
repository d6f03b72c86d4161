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

export const lenientCount = lenient(z.number(), 0);
