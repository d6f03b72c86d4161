import * as z from 'zod';

/** What the function's process tells the host. */
export const fromFunctionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), initMilliseconds: z.number() }),
  /** It has the event: from here on an end is a crash. */
  z.object({ type: z.literal('started') }),
  z.object({ type: z.literal('chunk'), data: z.custom<Uint8Array>((data) => data instanceof Uint8Array) }),
  z.object({
    type: z.literal('done'),
    /** What a handler that does not stream returned, as JSON. */
    payload: z.string().optional(),
    error: z.string().optional(),
    milliseconds: z.number(),
    memoryMegabytes: z.number(),
  }),
  z.object({ type: z.literal('failed-to-load'), error: z.string() }),
]);

export type FromFunction = z.infer<typeof fromFunctionSchema>;

/** What the host tells the function's process. */
export type ToFunction =
  | {
      readonly type: 'invoke';
      readonly requestId: string;
      readonly functionArn: string;
      readonly payload: string;
      readonly deadline: number;
      readonly traceId: string;
    }
  | { readonly type: 'taken' };
