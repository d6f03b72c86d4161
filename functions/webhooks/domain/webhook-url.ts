import { BlockList, isIP } from 'node:net';

type Range = readonly [address: string, bits: number];

/** The special-purpose registry of IANA; none of them is a place for a server that everyone may reach. */
const SPECIAL_IPV4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** All else is no global unicast: loopback, IPv4 in disguise, NAT64, private, link-local, multicast. */
const GLOBAL_IPV6: readonly Range[] = [['2000::', 3]];

/** The registry's ranges within it, and those whose packets go on to an IPv4 address. */
const SPECIAL_IPV6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const LOOPBACK_IPV4: readonly Range[] = [['127.0.0.0', 8]];
const LOOPBACK_IPV6: readonly Range[] = [['::1', 128]];

const listOf = (family: 'ipv4' | 'ipv6', ranges: readonly Range[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, family);
  return (address) => list.check(address, family);
};

const isSpecialIpv4 = listOf('ipv4', SPECIAL_IPV4);
const isGlobalIpv6 = listOf('ipv6', GLOBAL_IPV6);
const isSpecialIpv6 = listOf('ipv6', SPECIAL_IPV6);
const isLoopbackIpv4 = listOf('ipv4', LOOPBACK_IPV4);
const isLoopbackIpv6 = listOf('ipv6', LOOPBACK_IPV6);

/** Whether everyone may have a server there. What is no address, or names an interface of ours, is not public. */
export const isPublicAddress = (address: string): boolean => {
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !isSpecialIpv4(address);
  return family === 6 && isGlobalIpv6(address) && !isSpecialIpv6(address);
};

export const isLoopbackAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return isLoopbackIpv4(address);
  return family === 6 && isLoopbackIpv6(address);
};

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
