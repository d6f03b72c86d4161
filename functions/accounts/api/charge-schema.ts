import * as z from 'zod/mini';
import { timestamp } from './session-schema.ts';
import { amountSchema, QUANTITY_UNITS } from './use-schema.ts';

export const chargeSchema = z
  .object({
    id: z.string(),
    object: z.literal('organization.charge'),
    kind: z.enum(['video', 'image']),
    created_at: timestamp('When the video or the image was done.'),
    project_id: z.string().check(z.describe('The account.')),
    api_key_id: z.string().check(z.describe('The key, or the session of the console.')),
    task_id: z.nullable(z.string()).check(z.describe('Null for images, which have no task.')),
    model: z.string(),
    size: z.string().check(z.describe('The resolution of a video, the size of an image.')),
    quantity: z.int().check(z.gte(0), z.describe('Seconds of video, or images.')),
    quantity_unit: z.enum(Object.values(QUANTITY_UNITS)),
    unit_price: z.nullable(z.string()).check(z.describe('Null where no price was configured.')),
    amount: z.nullable(amountSchema),
  })
  .check(z.describe('One charge record.'));

export const chargePageSchema = z
  .object({
    object: z.literal('page'),
    data: z.array(chargeSchema),
    has_more: z.boolean(),
    next_page: z.nullable(z.string()).check(z.describe('`page` of the next request.')),
  })
  .check(z.describe('One page of the account’s charges.'));

export type ChargeObject = z.infer<typeof chargeSchema>;
export type ChargePage = z.infer<typeof chargePageSchema>;
