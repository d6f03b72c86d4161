import * as z from 'zod/mini';

/** An attribute that may be missing, read as a property that is always there and may be undefined. */
export const maybe = <T>(schema: z.core.$ZodType<T>) =>
  z.pipe(
    z.optional(schema),
    z.transform((value: T | undefined) => value),
  );
