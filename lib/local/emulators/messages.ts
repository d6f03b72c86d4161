import * as z from 'zod';

const Call = z.object({
  time: z.number(),
  principal: z.string(),
  service: z.string(),
  action: z.string(),
  resource: z.string(),
  status: z.number(),
});

const Options = z.object({
  dataDir: z.string(),
  region: z.string(),
  accountId: z.string(),
  masterSecret: z.string(),
  secrets: z.record(z.string(), z.string()),
  unlistedBuckets: z.record(z.string(), z.array(z.string()).readonly()).exactOptional(),
  port: z.number().exactOptional(),
});

export const ToChild = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), options: Options }),
  z.object({ kind: z.literal('calls'), id: z.number() }),
  z.object({ kind: z.literal('clear-calls'), id: z.number() }),
]);
export type ToChild = z.infer<typeof ToChild>;

export const FromChild = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), port: z.number() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('calls'), id: z.number(), calls: z.array(Call).readonly() }),
  z.object({ kind: z.literal('cleared'), id: z.number() }),
]);
export type FromChild = z.infer<typeof FromChild>;
