import * as z from 'zod';
import { AwsError } from '../aws-http/aws-error.ts';

const DynaliteError = z.object({
  statusCode: z.number(),
  body: z.object({ __type: z.string(), message: z.string().optional(), Message: z.string().optional() }),
});

/** An error of DynamoDB's own as it is answered; anything else is a fault of the emulator. */
export const toAwsError = (error: unknown, members: Record<string, unknown> = {}): unknown => {
  const parsed = DynaliteError.safeParse(error);
  if (!parsed.success) return error;
  const { statusCode, body } = parsed.data;
  return new AwsError(statusCode, body.__type, body.message ?? body.Message ?? '', { members });
};

export const isConditionFailure = (error: unknown): boolean =>
  error instanceof AwsError && error.code.endsWith('ConditionalCheckFailedException');

export const isValidationError = (error: unknown): boolean =>
  error instanceof AwsError && error.code.endsWith('ValidationException');

export const validationError = (message: string): AwsError =>
  new AwsError(400, 'com.amazon.coral.validate#ValidationException', message);
