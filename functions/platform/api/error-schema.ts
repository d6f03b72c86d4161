import * as z from 'zod/mini';
import { ERRORS, type ErrorCode } from '../domain/errors.ts';

type Row = (typeof ERRORS)[ErrorCode];

const rowsOf = (codes: readonly ErrorCode[]): readonly Row[] => codes.map((code) => ERRORS[code]);

const openAiError = (codes: readonly string[], rows: readonly Row[]) =>
  z.object({
    error: z.object({
      message: z.string(),
      type: z.enum(rows.map(({ type }) => type)),
      param: z.nullable(z.string()).check(z.describe('The field or parameter that is wrong.')),
      code: z.enum(codes),
    }),
  });

/** With every code that the service's error table knows. */
export const openAiErrorSchema = openAiError(Object.keys(ERRORS), Object.values(ERRORS)).check(
  z.describe('An error of the `/v1` endpoints, and of the gateway itself.'),
);

export const openAiErrorOf = (codes: readonly ErrorCode[]) => openAiError(codes, rowsOf(codes));

export const nativeErrorOf = (codes: readonly ErrorCode[]) =>
  z.object({
    error: z.object({
      code: z
        .literal([...new Set(rowsOf(codes).map(({ http }): number => http))])
        .check(z.describe('The HTTP status.')),
      message: z.string(),
      status: z.enum(rowsOf(codes).map(({ status }): string => status)),
    }),
  });

export type OpenAiError = z.infer<typeof openAiErrorSchema>;
export type NativeError = z.infer<ReturnType<typeof nativeErrorOf>>;
