import { DomainError } from '../domain/errors.ts';

/** A body as the gateway delivers it: text, or bytes for binary media types. */
export type RequestBody = string | Uint8Array;

const REPLACEMENT_CHARACTER = '\ufffd';

/** The gateway replaces bytes that are not UTF-8 by U+FFFD, so text that contains it is incomplete. */
export const requireUtf8 = (text: string, what: string): void => {
  if (text.includes(REPLACEMENT_CHARACTER))
    throw new DomainError('invalid_request', `${what} is not valid UTF-8.`);
};

export const bodyText = (body: RequestBody): string =>
  typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);

export const bodyBytes = (body: RequestBody): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;
