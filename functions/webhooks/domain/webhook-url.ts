import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

export const MAX_WEBHOOK_URL = 2048;

/** Plain http, and this machine as a receiver, are for the local cloud alone. */
export type WebhookUrlRules = { readonly allowLoopbackHttp: boolean };

/** A problem is the rest of a sentence that begins with the field's name. */
export type CheckedWebhookUrl =
  | { readonly url: URL; readonly problem?: undefined }
  | { readonly url?: undefined; readonly problem: string };

const LABEL = /^[a-z0-9_-]{1,63}$/;
/** Names that only a network's own resolver knows. */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa'];

/** The host as resolvers and sockets take it: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const isWithin = (name: string, suffix: string): boolean => name === suffix || name.endsWith(`.${suffix}`);

export const isLoopbackHost = (host: string): boolean =>
  isIP(host) === 0 ? isWithin(host, 'localhost') : isLoopbackAddress(host);

const isPublicName = (host: string): boolean => {
  const labels = host.split('.');
  return (
    host.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !PRIVATE_SUFFIXES.some((suffix) => isWithin(host, suffix))
  );
};

const hostProblem = (host: string): string | undefined => {
  if (isIP(host) !== 0)
    return isPublicAddress(host) ? undefined : 'must not have a private or reserved address as its host.';
  return isPublicName(host)
    ? undefined
    : 'must have a public host name, such as hooks.example.com, with no dot at its end.';
};

const NOT_HTTPS = 'must begin with https:// and a host, such as https://hooks.example.com/videos.';

/** What a URL parser would mend in silence. */
const textProblem = (text: string): string | undefined => {
  if (text.length > MAX_WEBHOOK_URL) return `must have at most ${MAX_WEBHOOK_URL} characters.`;
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not contain spaces, control characters or backslashes.';
  if (text.includes('#')) return 'must not have a fragment (#).';
  return /^https?:\/\/[^/]/i.test(text) ? undefined : NOT_HTTPS;
};

const urlProblem = (url: URL, { allowLoopbackHttp }: WebhookUrlRules): string | undefined => {
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password.';
  if (url.port === '0') return 'must not have the port 0.';
  const host = hostOf(url);
  if (allowLoopbackHttp && isLoopbackHost(host)) return undefined;
  return url.protocol === 'https:' ? hostProblem(host) : NOT_HTTPS;
};

/** Whether events may be sent there at all; where its name leads is checked at each sending. */
export const checkWebhookUrl = (text: string, rules: WebhookUrlRules): CheckedWebhookUrl => {
  const problem = textProblem(text);
  if (problem !== undefined) return { problem };
  const url = URL.parse(text);
  if (url === null) return { problem: 'must be a valid web address.' };
  const refusal = urlProblem(url, rules);
  return refusal === undefined ? { url } : { problem: refusal };
};
