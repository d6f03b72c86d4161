import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { endIfStorageFailed } from '../../errors.ts';
import {
  type AccessedResource,
  AwsError,
  type AwsRequest,
  errorReply,
  type Reply,
  type Service,
} from './service.ts';

export type JsonOperation = (input: unknown, request: AwsRequest) => unknown;

type JsonServiceOptions = {
  /** The part of X-Amz-Target before the dot. */
  readonly target: string;
  readonly operations: ReadonlyMap<string, JsonOperation>;
  accessedBy(operation: string, input: unknown): readonly AccessedResource[];
  close(): Promise<void>;
};

const operationName = ({ headers }: AwsRequest, target: string): string => {
  const [prefix, name] = (headers['x-amz-target'] ?? '').split('.');
  return prefix === target && name ? name : '';
};

const parse = (payload: Buffer): unknown => {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    throw new AwsError(400, 'SerializationException', 'The body is not JSON.');
  }
};

const success = (output: unknown): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
  body: JSON.stringify(output ?? {}),
});

const failure = (error: unknown): Reply => {
  if (error instanceof AwsError) return errorReply('json', error);
  if (error instanceof z.ZodError) {
    return errorReply('json', new AwsError(400, 'ValidationException', z.prettifyError(error)));
  }
  endIfStorageFailed(error);
  console.error(error);
  return errorReply('json', new AwsError(500, 'InternalServerError', 'The emulator failed.'));
};

export const jsonService = ({ target, operations, accessedBy, close }: JsonServiceOptions): Service => ({
  kind: 'buffered',
  dialect: 'json',
  close,
  async answer(request, payload) {
    const name = operationName(request, target);
    const operation = operations.get(name);
    if (operation === undefined) {
      const unknown = new AwsError(400, 'UnknownOperationException', `Unknown operation: ${name}`);
      return { reply: failure(unknown), accessed: [] };
    }
    let accessed: readonly AccessedResource[] = [];
    try {
      const input = parse(payload);
      accessed = accessedBy(name, input);
      return { reply: success(await operation(input, request)), accessed };
    } catch (error) {
      return { reply: failure(error), accessed };
    }
  },
});
