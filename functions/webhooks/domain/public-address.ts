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
