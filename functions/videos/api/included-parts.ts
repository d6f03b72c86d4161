import * as z from 'zod/mini';
import { invalidField, listed } from '../../platform/domain/errors.ts';
import { ASPECT_RATIOS, DURATIONS, IMAGE_TYPES, isOneOf, RESOLUTIONS } from '../../platform/domain/models.ts';
import { INPUT_ROLES, type Task } from '../domain/task.ts';

/** What a video object has besides, where `include[]` asks for it. */

export const INCLUDES = ['request', 'charge', 'timeline'] as const;
type Include = (typeof INCLUDES)[number];

const moment = z.nullable(z.number().check(z.gte(0)));
const amount = z.nullable(z.string());

const requestSchema = z.object({
  mode: z.enum(['text', 'first_frame', 'first_and_last_frame', 'references']),
  seconds: z.literal(DURATIONS),
  resolution: z.enum(RESOLUTIONS),
  aspect_ratio: z.enum(ASPECT_RATIOS),
  negative_prompt: z.nullable(z.string()),
  seed: z.nullable(z.int()),
  inputs: z.array(z.object({ role: z.enum(INPUT_ROLES), mime_type: z.enum(IMAGE_TYPES) })),
  api_key_id: z.string().check(z.describe('The key or the console session that asked.')),
});
const chargeSchema = z.object({
  seconds: z.number(),
  unit_price: amount,
  amount,
  currency: z.nullable(z.string()),
});
const timelineSchema = z.object({
  created_at: z.number(),
  submitted_at: moment,
  generated_at: moment,
  completed_at: moment,
  failed_at: moment,
});

export const includedFields = {
  request: z.optional(requestSchema).check(z.describe('With include[]=request: what was asked for.')),
  charge: z
    .optional(z.nullable(chargeSchema))
    .check(z.describe('With include[]=charge: what it costs; null while it costs nothing.')),
  timeline: z
    .optional(timelineSchema)
    .check(z.describe('With include[]=timeline: Unix seconds, with their fractions; null until then.')),
};

const secondsOf = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : milliseconds / 1000;

const PARTS = {
  request: ({ request, keyId }: Task): z.infer<typeof requestSchema> => ({
    mode: request.mode,
    seconds: request.seconds,
    resolution: request.resolution,
    aspect_ratio: request.aspectRatio,
    negative_prompt: request.negativePrompt ?? null,
    seed: request.seed ?? null,
    inputs: request.inputs.map(({ role, mimeType }) => ({ role, mime_type: mimeType })),
    api_key_id: keyId,
  }),
  charge: ({ charge }: Task): z.infer<typeof chargeSchema> | null =>
    charge === undefined
      ? null
      : {
          seconds: charge.seconds,
          unit_price: charge.unitPrice,
          amount: charge.amount,
          currency: charge.currency,
        },
  timeline: (task: Task): z.infer<typeof timelineSchema> => ({
    created_at: task.createdAt / 1000,
    submitted_at: secondsOf(task.submittedAt),
    generated_at: secondsOf(task.generatedAt),
    completed_at: secondsOf(task.completedAt),
    failed_at: secondsOf(task.failedAt),
  }),
} as const;

export const readIncludes = (values: readonly string[]): readonly Include[] =>
  values.map((value) => {
    if (isOneOf(INCLUDES, value)) return value;
    throw invalidField('include', `include must be one of ${listed(INCLUDES)}, as include[]=request.`);
  });

export const includedParts = (task: Task, includes: readonly Include[]) => ({
  ...(includes.includes('request') ? { request: PARTS.request(task) } : {}),
  ...(includes.includes('charge') ? { charge: PARTS.charge(task) } : {}),
  ...(includes.includes('timeline') ? { timeline: PARTS.timeline(task) } : {}),
});
