import { compareBytewise, firstDifference } from '../utf8-order.js';
import type { InstanceKind } from './instance.js';

/** A SemVer 2.0.0 version. Build metadata is omitted, because it does not affect precedence. */
export interface Version {
  readonly major: VersionNumber;
  readonly minor: VersionNumber;
  readonly patch: VersionNumber;
  /** The identifiers of a pre-release as written, separated by dots; empty for a release. */
  readonly preRelease: string;
}

/** A number of any length. It is stored as digits if it may not be a safe integer. */
type VersionNumber = number | LongNumber;
interface LongNumber {
  readonly digits: string;
}

/** Maximum length of a version. npm's limit is 256 too. */
const maxVersionLength = 256;

/** Matches what may follow the numbers: a pre-release and build metadata. */
const suffix = /^(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** Matches a number with a leading zero, which is invalid in a pre-release. */
const leadingZero = /(?:^|\.)0[0-9]+(?:\.|$)/;

/** Parses a version such as `1.12.3` or `v2.0.0-rc.1+build.5`. All three numbers are required; the `v` is optional. */
export function parseVersion(text: string): Version | null {
  if (text.length > maxVersionLength) return null;
  const start = text.startsWith('v') ? 1 : 0;
  const afterMajor = skipNumber(text, start);
  const afterMinor = text.charAt(afterMajor) === '.' ? skipNumber(text, afterMajor + 1) : -1;
  const end = text.charAt(afterMinor) === '.' ? skipNumber(text, afterMinor + 1) : -1;
  if (end === -1) return null;
  const preRelease = end === text.length ? '' : parseSuffix(text.slice(end));
  if (preRelease === null) return null;
  const major = toNumber(text.slice(start, afterMajor));
  const minor = toNumber(text.slice(afterMajor + 1, afterMinor));
  return { major, minor, patch: toNumber(text.slice(afterMinor + 1, end)), preRelease };
}

/** Returns the index after a number without leading zeros; -1 if none exists. */
function skipNumber(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at += 1;
  return at === from || (text.charCodeAt(from) === 0x30 && at > from + 1) ? -1 : at;
}

function parseSuffix(text: string): string | null {
  const parts = suffix.exec(text);
  if (parts === null) return null;
  const preRelease = parts[1] ?? '';
  return leadingZero.test(preRelease) ? null : preRelease;
}

function toNumber(digits: string): VersionNumber {
  return digits.length <= 15 ? Number(digits) : { digits };
}

/** Compares by precedence (SemVer 2.0.0, section 11). */
function compareVersions(a: Version, b: Version): number {
  return (
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch) ||
    comparePreReleases(a.preRelease, b.preRelease)
  );
}

/** Compares two pre-releases by the first identifier that differs. A release comes after all its pre-releases. */
function comparePreReleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return b.length - a.length;
  const at = firstDifference(a, b);
  const start = a.lastIndexOf('.', at - 1) + 1;
  const [left, right] = [identifierAt(a, start, at), identifierAt(b, start, at)];
  return left === right ? a.length - b.length : compareIdentifiers(left, right);
}

/** Returns the identifier that begins at `start` and ends at or after `at`. */
function identifierAt(text: string, start: number, at: number): string {
  const end = text.indexOf('.', at);
  return text.slice(start, end === -1 ? text.length : end);
}

/** Compares two identifiers. Numeric identifiers come before alphanumeric ones. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [digits.test(a), digits.test(b)];
  if (isNumber && isOtherNumber) return compareDigits(a, b);
  return Number(isOtherNumber) - Number(isNumber) || compareBytewise(a, b);
}

const digits = /^[0-9]+$/;

function compareDigits(a: string, b: string): number {
  return a.length - b.length || compareBytewise(a, b);
}

function compareNumbers(a: VersionNumber, b: VersionNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareDigits(digitsOf(a), digitsOf(b));
}

function digitsOf(number: VersionNumber): string {
  return typeof number === 'number' ? String(number) : number.digits;
}

/**
 * Returns the parts by which versions are sorted. In pre-releases, numeric identifiers come before others; a release comes last.
 */
function partsOfVersion({ major, minor, patch, preRelease }: Version): readonly (number | bigint | string)[] {
  const parts: (number | bigint | string)[] = [major, minor, patch].map((number) =>
    typeof number === 'number' ? number : BigInt(number.digits),
  );
  if (preRelease === '') return [...parts, 3];
  for (const each of preRelease.split('.')) {
    if (digits.test(each)) parts.push(1, BigInt(each));
    else parts.push(2, each);
  }
  return [...parts, 0];
}

export const versionKind: InstanceKind<Version> = Object.freeze({
  name: 'version',
  noun: 'version',
  isText: true,
  readWeight: 4,
  expected: 'a version such as 1.12.3',
  examples: ['1.0.0'],
  zero: null,
  zeroText: null,
  parse: parseVersion,
  read: (value: unknown) => (typeof value === 'string' ? parseVersion(value) : null),
  compare: compareVersions,
  sort: compareVersions,
  position: { isInteger: false as const, of: partsOfVersion },
  blocks: null,
  inUnit: () => null,
});
