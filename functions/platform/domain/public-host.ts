import { BlockList, isIP } from 'node:net';

type Range = readonly [address: string, bits: number];

/** IANA's special-purpose registry; none of these ranges is for public servers. */
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

/** Excludes loopback, mapped IPv4, NAT64, private, link-local and multicast addresses. */
const GLOBAL_IPV6: readonly Range[] = [['2000::', 3]];

/** The registry's ranges within the global ones, and ranges that lead to IPv4 addresses. */
const SPECIAL_IPV6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const isInRanges = (family: 'ipv4' | 'ipv6', ranges: readonly Range[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, family);
  return (address) => list.check(address, family);
};

const isSpecialIpv4 = isInRanges('ipv4', SPECIAL_IPV4);
const isGlobalIpv6 = isInRanges('ipv6', GLOBAL_IPV6);
const isSpecialIpv6 = isInRanges('ipv6', SPECIAL_IPV6);
const isLoopbackIpv4 = isInRanges('ipv4', [['127.0.0.0', 8]]);
const isLoopbackIpv6 = isInRanges('ipv6', [['::1', 128]]);

/** Whether a public server can have the address. An address with a zone (`%`) names one of our own interfaces. */
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

const LABEL = /^[a-z0-9_-]{1,63}$/;
/** Names that only private networks resolve. */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa'];

/** The host for resolvers and sockets: IPv6 addresses without brackets. */
export const readHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

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

/** Whether the host of a URL is, or could be, a server of the internet. */
export const isPublicHost = (host: string): boolean =>
  isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host);
