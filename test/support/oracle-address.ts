/** An IP address: `value` has 32 or 128 bits. An IPv4 address that is written as IPv6 is an IPv4 address. */
export interface Address {
  readonly version: 4 | 6;
  readonly value: bigint;
  /** Empty for none. */
  readonly zone: string;
  /** Null where none was written. */
  readonly port: number | null;
}

/** All addresses whose first `length` bits are those of `value`. */
export interface Block {
  readonly version: 4 | 6;
  readonly value: bigint;
  readonly length: number;
}

export function addressOf(text: string): Address | null {
  const percent = text.indexOf('%');
  const digits = percent === -1 ? text : text.slice(0, percent);
  const zone = percent === -1 ? '' : text.slice(percent + 1);
  if (percent !== -1 && zone === '') return null;
  const four = dotted(digits);
  if (four !== null) return percent === -1 ? { version: 4, value: four, zone: '', port: null } : null;
  const six = coloned(digits);
  if (six === null) return null;
  return six >> 32n === 0xffffn
    ? { version: 4, value: six & 0xffff_ffffn, zone, port: null }
    : { version: 6, value: six, zone, port: null };
}

/** `10.0.0.1:80` and `[::1]:80`, or an address alone. */
export function addressWithPort(text: string): Address | null {
  const alone = addressOf(text);
  if (alone !== null) return alone;
  const [, six, sixPort] = /^\[(.*)\]:([0-9]{1,5})$/.exec(text) ?? [];
  const [, four, fourPort] = /^([0-9.]+):([0-9]{1,5})$/.exec(text) ?? [];
  const port = Number(sixPort ?? fourPort ?? NaN);
  if (!(port <= 65_535)) return null;
  const isSix = six?.includes(':') === true;
  const address = six === undefined ? addressOf(four ?? '') : isSix ? addressOf(six) : null;
  return address === null ? null : { ...address, port };
}

/** `10.0.0.0/8`. */
export function blockOf(text: string): Block | null {
  const [, start = '', bits = ''] = /^([^/%]+)\/(0|[1-9][0-9]{0,2})$/.exec(text) ?? [];
  const address = addressOf(start);
  if (address === null) return null;
  const isMapped = address.version === 4 && start.includes(':');
  const length = Number(bits) - (isMapped ? 96 : 0);
  // A mapped block that is wider than all of IPv4 is one of IPv6.
  if (length < 0) return { version: 6, value: (0xffffn << 32n) | address.value, length: Number(bits) };
  return length > sizeOf(address.version) ? null : { version: address.version, value: address.value, length };
}

function sizeOf(version: 4 | 6): number {
  return version === 4 ? 32 : 128;
}

export function liesIn(address: Address, block: Block): boolean {
  if (address.version !== block.version || address.zone !== '') return false;
  const rest = BigInt(sizeOf(block.version) - block.length);
  return address.value >> rest === block.value >> rest;
}

/** By number, IPv4 first; then by zone, then by port, which none comes before. */
export function compareAddresses(a: Address, b: Address): number {
  if (a.version !== b.version) return a.version - b.version;
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.zone !== b.zone) return Buffer.compare(Buffer.from(a.zone), Buffer.from(b.zone));
  return (a.port ?? -1) - (b.port ?? -1);
}

function dotted(text: string): bigint | null {
  const parts = text.split('.');
  if (
    parts.length !== 4 ||
    !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256)
  ) {
    return null;
  }
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function coloned(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2 || !text.includes(':')) return null;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':').flatMap(groupsOf)));
  const [before = [], after = []] = groups;
  const written = [...before, ...after];
  if (written.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return null;
  // Four numbers with dots represent the last two groups and no others.
  if (/\..*:/.test(text)) return null;
  const missing = 8 - written.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return all.reduce((value, group) => value * 0x1_0000n + BigInt(`0x${group}`), 0n);
}

function groupsOf(part: string): string[] {
  if (!part.includes('.')) return [part];
  const value = dotted(part);
  return value === null ? ['wrong'] : [(value >> 16n).toString(16), (value & 0xffffn).toString(16)];
}
