/** The statuses with which upstreams refuse a request. */
export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 408 | 409 | 413 | 415 | 429 | 500 | 502 | 503 | 504;

/** More about an error; each kind of upstream reports those parts for which it has a place. */
type ErrorFacts = {
  /** The quota that is used up. */
  readonly quota?: 'minute' | 'day';
  readonly retryAfterSeconds?: number;
  /** The field that is wrong. */
  readonly field?: string;
  /** The reason as a word for programs. */
  readonly reason?: string;
  /** Details of Google's error model. */
  readonly details?: readonly object[];
  /** Metadata of OpenRouter's errors. */
  readonly metadata?: object;
};

export class UpstreamError extends Error {
  readonly code: ErrorStatus;
  /** Undefined for the message that the upstream usually has for the status. */
  readonly text: string | undefined;
  readonly facts: ErrorFacts;

  constructor(code: ErrorStatus, text?: string, facts: ErrorFacts = {}) {
    super(text ?? `HTTP ${code}`);
    this.code = code;
    this.text = text;
    this.facts = facts;
  }
}

export const invalid = (message: string, field?: string) =>
  new UpstreamError(400, message, field === undefined ? {} : { field });

const MAX_CHARACTERS = 80;

/** Text from a client, shortened and without control characters, for use in a message. */
export const shortened = (text: string): string => {
  const characters = Array.from(text.slice(0, 2 * MAX_CHARACTERS + 2));
  const line = characters
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed();
  return characters.length > MAX_CHARACTERS ? `${line}…` : line;
};
