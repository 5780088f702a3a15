import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

/** An address of an interface, with all facts as strings. */
export type NetworkAddress = Readonly<Record<string, string>>;

/** Facts that depend on the address family. */
interface Family {
  readonly type: 'IPv4' | 'IPv6';
  readonly bits: 32 | 128;
  readonly udp: string;
  readonly tcp: string;
  readonly read: (text: string) => bigint;
  readonly write: (address: bigint) => string;
}

const families: Readonly<Record<'IPv4' | 'IPv6', Family>> = {
  IPv4: { type: 'IPv4', bits: 32, udp: 'udp4', tcp: 'tcp4', read: readIpv4, write: writeIpv4 },
  IPv6: { type: 'IPv6', bits: 128, udp: 'udp6', tcp: 'tcp6', read: readIpv6, write: writeIpv6 },
};

/**
 * Returns the facts about an address. IPv6 has no broadcast and exceeds 32 bits, so those two are empty. Implemented here because
 * address libraries provide only a few of these facts.
 */
export function describeAddress({ address: text, netmask }: NetworkInterfaceInfo): NetworkAddress {
  const family = families[isIPv4(text) ? 'IPv4' : 'IPv6'];
  const { bits, read, write } = family;
  const address = read(text);
  const mask = read(netmask);
  const all = (1n << BigInt(bits)) - 1n;
  const maskBits = mask.toString(2).replaceAll('0', '').length;
  const network = address & mask;
  const last = network | (all ^ mask);
  const isV4 = family.type === 'IPv4';
  // The first and last address of a network are not hosts, except in networks of one or two addresses.
  const hasEnds = isV4 && maskBits < 31;
  const suffix = maskBits === bits ? '' : `/${maskBits}`;
  const host = write(address);
  return {
    ...sockets(family, host, suffix === ''),
    address: host,
    binary: address.toString(2).padStart(bits, '0'),
    broadcast: isV4 ? write(last) : '',
    first_usable: write(hasEnds ? network + 1n : network),
    hex: address.toString(16).padStart(bits / 4, '0'),
    host,
    last_usable: write(hasEnds ? last - 1n : last),
    mask_bits: String(maskBits),
    netmask: write(mask),
    network: `${write(network)}${suffix}`,
    octets: bytesOf(address, bits / 8).join(' '),
    port: '0',
    size: String(1n << BigInt(bits - maskBits)),
    string: `${host}${suffix}`,
    type: family.type,
    uint32: isV4 ? String(address) : '',
    ...(isV4 ? {} : { uint128: String(address) }),
  };
}

/** Returns network and address as socket functions expect them. Dialling needs a port; listening needs one host. */
function sockets({ type, udp, tcp }: Family, host: string, isHost: boolean): NetworkAddress {
  const place = type === 'IPv4' ? `${host}:0` : `[${host}]:0`;
  const listen = isHost ? place : '';
  return {
    DialPacket: `"${udp}" ""`,
    DialStream: `"${tcp}" ""`,
    ListenPacket: `"${udp}" "${listen}"`,
    ListenStream: `"${tcp}" "${listen}"`,
  };
}

function bytesOf(address: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, at) => Number((address >> BigInt(8 * (count - 1 - at))) & 255n));
}

function readIpv4(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function writeIpv4(address: bigint): string {
  return bytesOf(address, 4).join('.');
}

function readIpv6(text: string): bigint {
  // A zone such as %eth0 only limits where an address is valid.
  const [address = ''] = text.split('%', 1);
  const [front = '', back] = shortestIpv6(address).split('::', 2);
  const head = groupsOf(front);
  const tail = back === undefined ? [] : groupsOf(back);
  const zeros = Array<bigint>(8 - head.length - tail.length).fill(0n);
  return [...head, ...zeros, ...tail].reduce((value, group) => (value << 16n) | group, 0n);
}

function groupsOf(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`));
}

function writeIpv6(address: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => (address >> BigInt(16 * (7 - at))) & 0xffffn);
  return shortestIpv6(groups.map((group) => group.toString(16)).join(':'));
}

/** Returns the shortest form (RFC 5952) in 16-bit groups, as the URL parser of Node.js writes it. */
function shortestIpv6(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}
