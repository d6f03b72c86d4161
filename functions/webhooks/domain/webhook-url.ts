import { isIP } from 'node:net';
import { isLoopbackHost, isPublicHost, readHost } from '../../platform/domain/public-host.ts';

export const MAX_WEBHOOK_URL = 2048;

/** Only the local cloud allows plain HTTP and receivers on the same machine. */
export type WebhookUrlRules = { readonly allowLoopbackHttp: boolean };

/** A problem completes a sentence that begins with the name of the field. */
type CheckedWebhookUrl =
  | { readonly url: URL; readonly problem?: undefined }
  | { readonly url?: undefined; readonly problem: string };

const hostProblem = (host: string): string | undefined => {
  if (isPublicHost(host)) return undefined;
  return isIP(host) === 0
    ? 'must have a public host name, such as hooks.example.com, without a trailing dot.'
    : 'must not have a private or reserved address as its host.';
};

const NOT_HTTPS = 'must begin with https:// and a host, such as https://hooks.example.com/videos.';

/** Problems that a URL parser would silently correct. */
const textProblem = (text: string): string | undefined => {
  if (text.length > MAX_WEBHOOK_URL) return `must have at most ${MAX_WEBHOOK_URL} characters.`;
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not contain spaces, control characters or backslashes.';
  if (text.includes('#')) return 'must not have a fragment (#).';
  return /^https?:\/\/[^/]/i.test(text) ? undefined : NOT_HTTPS;
};

const urlProblem = (url: URL, { allowLoopbackHttp }: WebhookUrlRules): string | undefined => {
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password.';
  if (url.port === '0') return 'must not have port 0.';
  const host = readHost(url);
  if (allowLoopbackHttp && isLoopbackHost(host)) return undefined;
  return url.protocol === 'https:' ? hostProblem(host) : NOT_HTTPS;
};

/** Checks the URL itself. The addresses of its host are checked before each request. */
export const checkWebhookUrl = (text: string, rules: WebhookUrlRules): CheckedWebhookUrl => {
  const problem = textProblem(text);
  if (problem !== undefined) return { problem };
  const url = URL.parse(text);
  if (url === null) return { problem: 'must be a valid web address.' };
  const refusal = urlProblem(url, rules);
  return refusal === undefined ? { url } : { problem: refusal };
};
