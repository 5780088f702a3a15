import { BlockList, isIP } from 'node:net';

/**
 * A block of addresses. A single address is a block with all bits fixed. Parsed here, because packages also accept short and
 * hexadecimal forms (`10/8`, `0x7f.1`). The runtime tests whether an address is in a block.
 */
export interface Cidr {
  readonly network: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a single address. Returns null for anything else, such as host names, ports, or a prefix
 * that is too long: a block without addresses would lock callers out.
 */
export function parseCidr(text: string): Cidr | null {
  const [network = '', digits, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(network)] ?? 0;
  if (bits === 0 || rest.length > 0 || network.includes('%')) return null;
  if (digits !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(digits)) return null;
  const prefix = digits === undefined ? bits : Number(digits);
  return prefix <= bits ? { network, prefix, family: bits === 32 ? 'ipv4' : 'ipv6' } : null;
}

/** Whether an address is in one of the blocks. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isInCidrs(cidrs: readonly string[], address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const blocks = new BlockList();
  for (const text of cidrs) {
    const cidr = parseCidr(text);
    if (cidr !== null) blocks.addSubnet(cidr.network, cidr.prefix, cidr.family);
  }
  return blocks.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, which a dual-stack socket reports; other addresses unchanged. */
export function unwrapAddress(address: string): string {
  return mapped.exec(address)?.[1] ?? address;
}
