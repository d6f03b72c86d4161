import { isIP } from 'node:net';
import { isLoopbackHost, isPublicHost, readHost } from './public-host.ts';

/** Only the local cloud allows plain HTTP and servers on the same machine. */
export type PublicUrlRules = { readonly allowLoopbackHttp: boolean };

type UrlForm = PublicUrlRules & {
  readonly maxLength: number;
  /** An address for messages. */
  readonly example: string;
  readonly allowFragment: boolean;
  /** Allows only the default port of https, except on the same machine. */
  readonly allowAnyPort: boolean;
};

/** A problem completes a sentence that begins with the name of the field. */
type CheckedUrl =
  | { readonly url: URL; readonly problem?: undefined }
  | { readonly url?: undefined; readonly problem: string };

const hostProblem = (host: string, { example }: UrlForm): string | undefined => {
  if (isPublicHost(host)) return undefined;
  return isIP(host) === 0
    ? `must have a public host name, such as ${new URL(example).hostname}, without a trailing dot.`
    : 'must not have a private or reserved address as its host.';
};

const notHttps = ({ example }: UrlForm): string => `must begin with https:// and a host, such as ${example}.`;

/** Problems that a URL parser would silently correct. */
const textProblem = (text: string, form: UrlForm): string | undefined => {
  if (text.length > form.maxLength) return `must have at most ${form.maxLength} characters.`;
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not contain spaces, control characters or backslashes.';
  if (!form.allowFragment && text.includes('#')) return 'must not have a fragment (#).';
  return /^https?:\/\/[^/]/i.test(text) ? undefined : notHttps(form);
};

const urlProblem = (url: URL, form: UrlForm): string | undefined => {
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password.';
  if (url.port === '0') return 'must not have port 0.';
  const host = readHost(url);
  if (form.allowLoopbackHttp && isLoopbackHost(host)) return undefined;
  if (url.protocol !== 'https:') return notHttps(form);
  if (!form.allowAnyPort && url.port !== '') return 'must not name a port.';
  return hostProblem(host, form);
};

/** Checks the URL itself. The addresses of its host are checked before each request. */
export const checkPublicUrl = (text: string, form: UrlForm): CheckedUrl => {
  const problem = textProblem(text, form);
  if (problem !== undefined) return { problem };
  const url = URL.parse(text);
  if (url === null) return { problem: 'must be a valid web address.' };
  const refusal = urlProblem(url, form);
  return refusal === undefined ? { url } : { problem: refusal };
};
