import assert from 'node:assert/strict';
import { DomainError } from '../../functions/platform/domain/errors.ts';

/** Reads query parameters as handlers do. */
export const toQuery = (text: string) => {
  const parameters = new URLSearchParams(text);
  return {
    query: (name: string): string | undefined => parameters.get(name) ?? undefined,
    queryAll: (name: string): readonly string[] => parameters.getAll(name),
  };
};

/** Asserts that a value is refused with an error that names the field. */
export const refusesField = (read: () => unknown, param: string, message = /./): void =>
  assert.throws(
    read,
    (error) => error instanceof DomainError && error.param === param && message.test(error.message),
  );
