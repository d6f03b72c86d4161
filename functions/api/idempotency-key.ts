import { DomainError } from '../domain/errors.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export const readIdempotencyKey = (header: string | undefined): string | undefined => {
  if (header === undefined || PRINTABLE.test(header)) return header;
  throw new DomainError('invalid_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters.', {
    param: 'Idempotency-Key',
  });
};
