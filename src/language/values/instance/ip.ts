import { compareBytewise } from '../utf8-order.js';
import type { InstanceKind } from './instance.js';

/**
 * An address with an optional port. An IPv4 address, including one mapped into IPv6 (`::ffff:10.0.0.1`), is a number: the address
 * times 65,537, plus (if there is a port) the port and one. So numbers sort by address and then by port, and addresses without a
 * port come first.
 */
export type Address = number | LongAddress;

/** An address of IPv6, in words of 32 bits. */
export interface LongAddress {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  /** The zone after `%` (RFC 4007); empty if none exists. */
  readonly zone: string;
  /** The port plus one; 0 if there is no port. */
  readonly port: number;
}

/** Number of distinct port values, including no port. */
const ports = 0x10001;

function sortAddresses(x: Address, y: Address): number {
  if (typeof x === 'number') return typeof y === 'number' ? x - y : -1;
  if (typeof y === 'number') return 1;
  return (
    x.a - y.a || x.b - y.b || x.c - y.c || x.d - y.d || compareBytewise(x.zone, y.zone) || x.port - y.port
  );
}

/** Returns the parts by which addresses are sorted. IPv4 addresses come first. */
function partsOfAddress(address: Address): readonly (number | string)[] {
  if (typeof address === 'number') return [0, address];
  const { a, b, c, d, zone, port } = address;
  return [1, a, b, c, d, zone, port];
}

/** Compares a value with an operand. An operand without a port matches any port. */
function compareAddresses(value: Address, operand: Address): number {
  return sortAddresses(portOf(operand) === 0 ? withoutPort(value) : value, operand);
}

function portOf(address: Address): number {
  return typeof address === 'number' ? address % ports : address.port;
}

function withoutPort(address: Address): Address {
  if (typeof address === 'number') return address - (address % ports);
  return address.port === 0 ? address : { ...address, port: 0 };
}

/** Maximum length of an address string. A zone may be the name of a network interface. */
const maxAddressLength = 256;

const zero = 0x30;
const point = 0x2e;
const colon = 0x3a;

/**
 * Parses `10.1.2.3` between two indexes as a 32-bit integer; NaN for anything else, including leading zeros (RFC 6943, section
 * 3.1.1). Allocates nothing, because it is called in loops over many rows.
 */
export function readIpv4(text: string, from = 0, to = text.length): number {
  let address = 0;
  let at = from;
  for (let part = 0; part < 4; part += 1) {
    if (part > 0 && (at >= to || text.charCodeAt(at++) !== point)) return NaN;
    const start = at;
    let value = 0;
    while (at < to && at - start < 3) {
      const digit = text.charCodeAt(at) - zero;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      at += 1;
    }
    if (at === start || value > 255 || (at - start > 1 && text.charCodeAt(start) === zero)) return NaN;
    address = address * 256 + value;
  }
  return at === to ? address : NaN;
}

/** Buffer for the groups of the address that is being parsed. */
const groups = new Uint16Array(8);

/** Parses `2001:db8::1` between two indexes into `groups` (RFC 4291, section 2.2). Returns false if it is invalid. */
function readGroups(text: string, from: number, to: number): boolean {
  let at = from;
  let count = 0;
  let gap = -1;
  if (text.charCodeAt(at) === colon && text.charCodeAt(at + 1) === colon && at + 2 <= to) {
    gap = 0;
    at += 2;
  } else if (at === to) return false;
  while (at < to) {
    const end = skipHex(text, at, to);
    if (end === at || end - at > 4 || count === 8) return false;
    if (end < to && text.charCodeAt(end) === point) {
      const embedded = readIpv4(text, at, to);
      if (Number.isNaN(embedded) || count > 6) return false;
      groups[count] = embedded >>> 16;
      groups[count + 1] = embedded & 0xffff;
      count += 2;
      break;
    }
    groups[count] = Number.parseInt(text.slice(at, end), 16);
    count += 1;
    if (end === to) break;
    at = end + 1;
    if (text.charCodeAt(end) !== colon || at === to) return false;
    if (text.charCodeAt(at) !== colon) continue;
    if (gap >= 0) return false;
    gap = count;
    at += 1;
  }
  // `::` replaces at least one group.
  if (gap < 0 ? count !== 8 : count === 8) return false;
  if (gap >= 0) {
    groups.copyWithin(8 - (count - gap), gap, count);
    groups.fill(0, gap, 8 - (count - gap));
  }
  return true;
}

function skipHex(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isHex(text.charCodeAt(at))) at += 1;
  return at;
}

function isHex(code: number): boolean {
  const lower = code | 0x20;
  return (code >= zero && code <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

function word(at: number): number {
  return (groups[at] ?? 0) * 0x10000 + (groups[at + 1] ?? 0);
}

function longAddress(zone: string, port: number): LongAddress {
  return { a: word(0), b: word(2), c: word(4), d: word(6), zone, port };
}

function isMapped({ a, b, c }: LongAddress): boolean {
  return a === 0 && b === 0 && c === 0xffff;
}

/** Parses an IPv6 address and its zone between two indexes. A mapped IPv4 address must not have a zone. */
function readLong(text: string, from: number, to: number, port: number): Address | null {
  const percent = text.indexOf('%', from);
  const end = percent === -1 || percent > to ? to : percent;
  if (end !== to && end + 1 === to) return null;
  if (!readGroups(text, from, end)) return null;
  const address = longAddress(text.slice(end === to ? to : end + 1, to), port);
  if (!isMapped(address)) return address;
  return address.zone === '' ? address.d * ports + port : null;
}

function parseAddress(text: string): Address | null {
  const address = readIpv4(text);
  if (!Number.isNaN(address)) return address * ports;
  return text.length > maxAddressLength ? null : readLong(text, 0, text.length, 0);
}

/** Like {@link parseAddress}, also for `10.0.0.1:4646` and `[::1]:80`. */
function parseAddressAndPort(text: string): Address | null {
  const last = text.lastIndexOf(':');
  const isLong = text.charCodeAt(0) === openBracket;
  const isAfterPort = isLong ? text.charCodeAt(last - 1) === closeBracket : last === text.indexOf(':');
  if (last === -1 || !isAfterPort) return parseAddress(text);
  const port = readPort(text, last + 1);
  if (Number.isNaN(port) || text.length > maxAddressLength) return null;
  if (isLong) return readLong(text, 1, last - 1, port + 1);
  const address = readIpv4(text, 0, last);
  return !Number.isNaN(address) ? address * ports + port + 1 : null;
}

const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Returns the port between an index and the end of the string; NaN if it is invalid. */
function readPort(text: string, from: number): number {
  if (from === text.length || text.length - from > 5) return NaN;
  let port = 0;
  for (let at = from; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - zero;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    port = port * 10 + digit;
  }
  return port <= 0xffff ? port : NaN;
}

/**
 * All addresses that share a prefix (CIDR, RFC 4632). It is a block of IPv4 addresses if `base` is a number, otherwise of IPv6.
 */
export interface AddressBlock {
  readonly base: number | LongAddress;
  readonly bits: number;
}

/** Parses `10.0.0.0/8`, `2001:db8::/32`. Bits after the prefix are ignored. A block within `::ffff:0:0/96` is an IPv4 block. */
function parseBlock(text: string): AddressBlock | null {
  const slash = text.indexOf('/');
  if (
    text.length > maxAddressLength ||
    !/^\/(?:0|[1-9][0-9]{0,2})$/.test(slash === -1 ? '' : text.slice(slash))
  )
    return null;
  const bits = Number(text.slice(slash + 1));
  const short = readIpv4(text, 0, slash);
  if (!Number.isNaN(short)) return bits <= 32 ? { base: short, bits } : null;
  if (bits > 128 || !readGroups(text, 0, slash)) return null;
  const base = longAddress('', 0);
  return isMapped(base) && bits >= 96 ? { base: base.d, bits: bits - 96 } : { base, bits };
}

/** Whether a block contains an address. The port does not matter; an address with a zone is in no block. */
function containsAddress({ base, bits }: AddressBlock, value: Address): boolean {
  if (typeof base === 'number')
    return typeof value === 'number' && sharesBits(base, Math.floor(value / ports), bits);
  return (
    typeof value === 'object' &&
    value.zone === '' &&
    sharesBits(base.a, value.a, bits) &&
    sharesBits(base.b, value.b, bits - 32) &&
    sharesBits(base.c, value.c, bits - 64) &&
    sharesBits(base.d, value.d, bits - 96)
  );
}

function sharesBits(x: number, y: number, bits: number): boolean {
  // JavaScript takes shift counts modulo 32, so that a shift by 32 would have no effect.
  return bits <= 0 || (bits >= 32 ? x === y : (x ^ y) >>> (32 - bits) === 0);
}

function kindOf(parse: (text: string) => Address | null, expected: string): InstanceKind<Address> {
  return Object.freeze({
    name: 'ip',
    noun: 'address',
    isText: true,
    readWeight: 2,
    expected,
    examples: [],
    zero: null,
    zeroText: null,
    parse,
    read: (value: unknown) => (typeof value === 'string' ? parse(value) : null),
    compare: compareAddresses,
    sort: sortAddresses,
    position: { isInteger: false as const, of: partsOfAddress },
    blocks: Object.freeze({ parse: parseBlock, storedAs: containsAddress }),
    inUnit: () => null,
  });
}

/** The kind of IPv4 and IPv6 addresses. */
export const ipKind = kindOf(parseAddress, 'an address such as 10.0.0.1 or "::1"');

/** The kind of addresses with an optional port. */
export const ipPortKind = kindOf(
  parseAddressAndPort,
  'an address such as 10.0.0.1 or "::1", or one with a port: 10.0.0.1:4646',
);
