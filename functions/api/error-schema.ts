import * as z from 'zod/mini';
import { ERRORS } from '../domain/errors.ts';

/** Both error dialects, with every code that the service's error table knows. */

const rows = Object.values(ERRORS);

export const openAiErrorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.enum(rows.map(({ type }) => type)),
      param: z.nullable(z.string()).check(z.describe('The field or parameter that is wrong.')),
      code: z.enum(Object.keys(ERRORS)),
    }),
  })
  .check(z.describe('An error of the `/v1` endpoints, and of the gateway itself.'));

export const nativeErrorSchema = z
  .object({
    error: z.object({
      code: z
        .literal([...new Set(rows.map(({ http }): number => http))])
        .check(z.describe('The HTTP status.')),
      message: z.string(),
      status: z.enum(rows.map(({ status }): string => status)),
    }),
  })
  .check(z.describe('An error of the `/v1beta` endpoints.'));

export type OpenAiError = z.infer<typeof openAiErrorSchema>;
export type NativeError = z.infer<typeof nativeErrorSchema>;
