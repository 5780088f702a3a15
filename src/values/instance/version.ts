import { compareBytewise } from '../utf8-order.js';
import type { InstanceKind } from './instance.js';

/** A version of SemVer 2.0.0 without its build metadata, which its precedence does not know. */
export interface Version {
  readonly major: VersionNumber;
  readonly minor: VersionNumber;
  readonly patch: VersionNumber;
  /** The identifiers of a pre-release; none for a release. Texts are those that are no numbers. */
  readonly preRelease: readonly (VersionNumber | string)[];
}

/** A number of any length: by its digits where it may not be a safe one. */
type VersionNumber = number | LongNumber;
interface LongNumber {
  readonly digits: string;
}

/** Longest version that is read. npm draws the line at 256 too. */
const longestVersion = 256;

/** What may stand behind the numbers: a pre-release, build metadata. */
const suffix = /^(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

const release: Version['preRelease'] = Object.freeze([]);

/** `1.12.3`, `v2.0.0-rc.1+build.5`: all three numbers, and an optional `v`. */
export function parseVersion(text: string): Version | null {
  if (text.length > longestVersion) return null;
  const start = text.startsWith('v') ? 1 : 0;
  const behindMajor = skipNumber(text, start);
  const behindMinor = text.charAt(behindMajor) === '.' ? skipNumber(text, behindMajor + 1) : -1;
  const end = text.charAt(behindMinor) === '.' ? skipNumber(text, behindMinor + 1) : -1;
  if (end === -1) return null;
  const preRelease = end === text.length ? release : parseSuffix(text.slice(end));
  if (preRelease === null) return null;
  const major = toNumber(text.slice(start, behindMajor));
  const minor = toNumber(text.slice(behindMajor + 1, behindMinor));
  return { major, minor, patch: toNumber(text.slice(behindMinor + 1, end)), preRelease };
}

/** The place behind a number without leading zeros, -1 where there is none. */
function skipNumber(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at += 1;
  return at === from || (text.charCodeAt(from) === 0x30 && at > from + 1) ? -1 : at;
}

function parseSuffix(text: string): Version['preRelease'] | null {
  const parts = suffix.exec(text);
  if (parts === null) return null;
  const names = parts[1]?.split('.') ?? [];
  return names.some((name) => /^0[0-9]+$/.test(name)) ? null : names.map(toIdentifier);
}

function toIdentifier(name: string): VersionNumber | string {
  return /^[0-9]+$/.test(name) ? toNumber(name) : name;
}

function toNumber(digits: string): VersionNumber {
  return digits.length <= 15 ? Number(digits) : { digits };
}

/** Precedence, SemVer 2.0.0 section 11. */
function compareVersions(a: Version, b: Version): number {
  return (
    compareNumbers(a.major, b.major) ||
    compareNumbers(a.minor, b.minor) ||
    compareNumbers(a.patch, b.patch) ||
    comparePreReleases(a.preRelease, b.preRelease)
  );
}

/** A release comes after all that precede it. */
function comparePreReleases(a: Version['preRelease'], b: Version['preRelease']): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const order = compareIdentifiers(a[at] ?? 0, b[at] ?? 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before texts. */
function compareIdentifiers(a: VersionNumber | string, b: VersionNumber | string): number {
  if (typeof a === 'string') return typeof b === 'string' ? compareBytewise(a, b) : 1;
  return typeof b === 'string' ? -1 : compareNumbers(a, b);
}

function compareNumbers(a: VersionNumber, b: VersionNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [digitsOf(a), digitsOf(b)];
  return left.length - right.length || compareBytewise(left, right);
}

function digitsOf(number: VersionNumber): string {
  return typeof number === 'number' ? String(number) : number.digits;
}

export const versionKind: InstanceKind<Version> = Object.freeze({
  name: 'version',
  isText: true,
  readWeight: 4,
  expected: 'a version such as 1.12.3',
  zero: null,
  parse: parseVersion,
  read: (value: unknown) => (typeof value === 'string' ? parseVersion(value) : null),
  compare: compareVersions,
  sort: compareVersions,
  blocks: null,
  inUnit: () => null,
});
