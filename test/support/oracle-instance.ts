import {
  addressOf,
  addressWithPort,
  blockOf,
  compareAddresses,
  liesIn,
  type Address,
  type Block,
} from './oracle-address.js';
import { compareExact, exactDecimal, times, type Exact } from './oracle-exact.js';
import { goInt } from './go-number.js';
import {
  goDuration,
  instantOf,
  instantOfDate,
  literalDuration,
  midnightOf,
  nanosecondsOf,
} from './oracle-time.js';
import type { OracleType } from './oracle-value.js';
import { compareVersions, versionOf, type Version } from './oracle-version.js';

/** What a string or a number represents on a kind of its own: nanoseconds, bytes, an address, a version. */
export type Instance =
  | { readonly kind: 'exact'; readonly value: Exact }
  | { readonly kind: 'address'; readonly value: Address }
  | { readonly kind: 'version'; readonly value: Version };

/** The kinds whose values are more than texts and numbers. */
export function isInstanceKind({ kind }: OracleType): boolean {
  return ['time', 'duration', 'bytes', 'ip', 'version'].includes(kind);
}

/** Whether rows hold integers in a unit. */
export function isCounted(type: OracleType): boolean {
  return type.unit !== undefined;
}

/** Bytes in a unit. */
export const bytesOf: Readonly<Record<string, bigint>> = {
  B: 1n,
  KiB: 1_024n,
  MiB: 1_024n ** 2n,
  GiB: 1_024n ** 3n,
  kB: 1_000n,
  MB: 1_000n ** 2n,
  GB: 1_000n ** 3n,
};

/** How many nanoseconds or bytes one is on an integer field. */
function worthOf({ kind, unit = '' }: OracleType): bigint {
  return (kind === 'bytes' ? bytesOf : nanosecondsOf)[unit] ?? 1n;
}

const exact = (value: Exact | bigint): Instance => ({
  kind: 'exact',
  value: typeof value === 'bigint' ? { top: value, bottom: 1n } : value,
});

/** An integer as go-bexpr reads it for an integer field. */
function integerOf(text: string): bigint | null {
  const parsed = goInt(text);
  return parsed.ok ? parsed.value : null;
}

/** An integer represents itself, in the unit of the field; on a string field nothing. */
function countedInstance(type: OracleType, integer: bigint): Instance | null {
  return isCounted(type) ? exact(integer * worthOf(type)) : null;
}

/** What a literal represents on a field of a kind; null if it is not an instance. */
export function literalInstance(type: OracleType, text: string): Instance | null {
  const integer = integerOf(text);
  switch (type.kind) {
    case 'time': {
      if (integer !== null) return countedInstance(type, integer);
      const instant = instantOf(text) ?? midnightOf(text);
      return instant === null ? null : exact(instant);
    }
    case 'duration': {
      if (integer !== null) return countedInstance(type, integer);
      const length = literalDuration(text);
      return length === null ? null : exact(length);
    }
    case 'bytes':
      return integer === null ? sizeOf(type, text) : countedInstance(type, integer);
    case 'ip': {
      const address = type.port === true ? addressWithPort(text) : addressOf(text);
      return address === null ? null : { kind: 'address', value: address };
    }
    default: {
      const version = versionOf(text.replace(/^v/, ''));
      return version === null ? null : { kind: 'version', value: version };
    }
  }
}

function sizeOf(type: OracleType, text: string): Instance | null {
  const [, number = '', unit = ''] = /^([+-]?[0-9.]+)([A-Za-z]*)$/.exec(text) ?? [];
  const amount = exactDecimal(number);
  const worth = unit === '' ? worthOf(type) : Object.hasOwn(bytesOf, unit) ? bytesOf[unit] : undefined;
  return amount === null || worth === undefined ? null : exact(times(amount, worth));
}

/** `now`, and `now - 7d`, at an instant in nanoseconds; null for anything else. */
export function clockInstance(text: string, now: bigint): Instance | null {
  if (text === 'now') return exact(now);
  const [, sign, length = ''] = /^now ([+-]) (.*)$/.exec(text) ?? [];
  const duration = sign === undefined || !/^[0-9]/.test(length) ? null : literalDuration(length);
  if (duration === null) return null;
  return exact(sign === '-' ? now - duration : now + duration);
}

/** What the value of a row represents; null if it is not an instance. */
export function rowInstance(type: OracleType, value: unknown): Instance | null {
  if (isCounted(type)) {
    const isWhole = typeof value === 'bigint' || Number.isInteger(value);
    return isWhole ? exact(BigInt(value as number | bigint) * worthOf(type)) : null;
  }
  if (type.kind === 'time' && value instanceof Date) {
    const instant = instantOfDate(value);
    return instant === null ? null : exact(instant);
  }
  if (typeof value !== 'string') return null;
  switch (type.kind) {
    case 'time': {
      const instant = instantOf(value);
      return instant === null ? null : exact(instant);
    }
    case 'duration': {
      const length = goDuration(value);
      return length === null ? null : exact(length);
    }
    case 'ip': {
      const address = type.port === true ? addressWithPort(value) : addressOf(value);
      return address === null ? null : { kind: 'address', value: address };
    }
    default: {
      const version = versionOf(value.replace(/^v/, ''));
      return version === null ? null : { kind: 'version', value: version };
    }
  }
}

/** The value of an absent field of a kind; null without a zero value. */
export function zeroInstance(type: OracleType): Instance | null {
  if (isCounted(type) || type.kind === 'duration') return exact(0n);
  return type.kind === 'time' ? exact(instantOf('0001-01-01T00:00:00Z') ?? 0n) : null;
}

/** Negative, zero or positive. A literal without a port sorts together with every port. */
export function compareInstances(row: Instance, other: Instance, isLiteral: boolean): number {
  if (row.kind === 'exact' && other.kind === 'exact') return compareExact(row.value, other.value);
  if (row.kind === 'version' && other.kind === 'version') return compareVersions(row.value, other.value);
  if (row.kind === 'address' && other.kind === 'address') {
    const port = isLiteral && other.value.port === null ? null : row.value.port;
    return compareAddresses({ ...row.value, port }, other.value);
  }
  throw new Error('instances of two kinds');
}

/** A block of addresses, which lists may hold. */
export function literalBlock(type: OracleType, text: string): Block | null {
  return type.kind === 'ip' ? blockOf(text) : null;
}

export function isInBlock(row: Instance, block: Block): boolean {
  return row.kind === 'address' && liesIn(row.value, block);
}
