import type { Clock } from '../../platform/domain/log-events.ts';
import { UpstreamError } from '../domain/faults.ts';

/** The credential of one upstream: an API key, or the JSON document that Google issues. */
export type Credential = {
  /** The name of the upstream, for messages. */
  readonly name: string;
  /** The same value is returned until it changes, so that callers can compare it with `===`. */
  read(): Promise<unknown>;
  /** Reads the secret again, because the upstream refused the credential. */
  readAgain(): Promise<unknown>;
};

const KEEP_MILLISECONDS = 5 * 60 * 1000;
/** Many calls may be refused at once; one of them reads the secret for all. */
const PAUSE_MILLISECONDS = 5000;
const GOOGLE_TYPES: readonly unknown[] = ['service_account', 'external_account'];

type Document = Readonly<Record<string, unknown>>;

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that is not JSON is an API key. */
const parseSecret = (text: string): unknown => {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message could quote a part of the secret.
    throw new UpstreamError(
      'operator',
      'The secret of the upstreams is not valid JSON; it must be an object with the credential of each upstream under its name.',
    );
  }
};

/** The only upstream may have the whole secret as its credential. */
const isWholeSecret = (secret: unknown): boolean => !isDocument(secret) || GOOGLE_TYPES.includes(secret.type);

const selectCredential = (secret: unknown, name: string, isOnly: boolean): unknown => {
  if (isOnly && isWholeSecret(secret)) return secret;
  if (isDocument(secret) && Object.hasOwn(secret, name)) return secret[name];
  throw new UpstreamError(
    'operator',
    `The secret of the upstreams has no credential for "${name}"; it must be a JSON object with the credential of each upstream under its name: {"${name}": …}.`,
  );
};

/** One secret has all credentials, in a JSON object by name; a single one may also be the whole secret. */
export const upstreamCredentials = (
  readSecret: () => Promise<string>,
  names: readonly string[],
  now: Clock = Date.now,
): ((name: string) => Credential) => {
  let kept: { readonly text: string; readonly secret: unknown; readonly readAt: number } | undefined;
  let reading: Promise<unknown> | undefined;

  const readOnce = async (): Promise<unknown> => {
    try {
      const text = await readSecret();
      // Unchanged text keeps its parsed value, which callers compare.
      kept = { text, secret: text === kept?.text ? kept.secret : parseSecret(text), readAt: now() };
      return kept.secret;
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      // Nothing was sent yet, so a retry is safe.
      throw new UpstreamError('failing', "The generator's key could not be read.", { cause: error });
    } finally {
      reading = undefined;
    }
  };

  const readWithin = (milliseconds: number): Promise<unknown> => {
    if (kept !== undefined && now() - kept.readAt < milliseconds) return Promise.resolve(kept.secret);
    reading ??= readOnce();
    return reading;
  };

  return (name) => {
    const isOnly = new Set(names).size === 1;
    const select = (secret: unknown) => selectCredential(secret, name, isOnly);
    return {
      name,
      read: async () => select(await readWithin(KEEP_MILLISECONDS)),
      readAgain: async () => select(await readWithin(PAUSE_MILLISECONDS)),
    };
  };
};
