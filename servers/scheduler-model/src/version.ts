// The semver package is not used: requirements here have any count of numbers, their own `~>`, and commas between conditions.

/** A version: its numbers, and its prerelease after a dash. Build metadata after a plus is ignored. */
export interface Version {
  readonly segments: readonly number[];
  /** Count of written numbers; the others of the three are zero. */
  readonly written: number;
  readonly prerelease: string;
}

/** A version requirement, such as `>= 1.2, < 2.0`. */
export type VersionTest = (version: Version) => boolean;

/** Maximum length of a version or requirement. Prevents strings that are slow to parse on each node. */
const maxLength = 512;

/**
 * Parses a version; returns null if it is invalid. A leading `v` and any number of numbers are accepted; if not strict, a
 * prerelease may follow without a dash.
 */
export function parseVersion(text: string, strict: boolean): Version | null {
  if (text.length > maxLength) return null;
  const match = (strict ? strictForm : looseForm).exec(text);
  if (match === null) return null;
  const written = (match[1] ?? '').split('.').map(Number);
  if (!written.every(Number.isSafeInteger)) return null;
  const segments = [...written, 0, 0].slice(0, Math.max(3, written.length));
  return { segments, written: written.length, prerelease: match[2] ?? match[3] ?? '' };
}

const looseForm =
  /^v?(\d{1,16}(?:\.\d{1,16}){0,9})(?:-([0-9A-Za-z~-]+(?:\.[0-9A-Za-z~-]+)*)|-?([A-Za-z~-][0-9A-Za-z~-]*(?:\.[0-9A-Za-z~-]+)*))?(?:\+[0-9A-Za-z~.-]+)?$/;
const strictForm =
  /^v?(\d{1,16}(?:\.\d{1,16}){0,9})(?:-([0-9A-Za-z~-]+(?:\.[0-9A-Za-z~-]+)*))?(?:\+[0-9A-Za-z~.-]+)?$/;

/** Parses a requirement with conditions joined by commas; null if one is invalid. */
export function parseVersionTest(text: string, strict: boolean): VersionTest | null {
  if (text.length > maxLength) return null;
  const conditions = text.split(',').map((part) => parseCondition(part.trim(), strict));
  if (conditions.some((condition) => condition === null)) return null;
  return (version) => conditions.every((condition) => condition?.(version) === true);
}

function parseCondition(text: string, strict: boolean): VersionTest | null {
  const match = /^(!=|>=|<=|~>|=|>|<|)\s*(\S+)$/.exec(text);
  const required = parseVersion(match?.[2] ?? '', strict);
  const operator = match?.[1] ?? '';
  if (required === null || (strict && operator === '~>')) return null;
  const condition = comparisons.get(operator);
  if (condition === undefined) return null;
  // Two operators compare single versions, the others ranges.
  const isRange = operator !== '' && operator !== '=' && operator !== '!=';
  return (version) => condition(version, required) && (strict || !isRange || isInReach(version, required));
}

const comparisons: ReadonlyMap<string, (version: Version, required: Version) => boolean> = new Map([
  ['', (version, required) => compareVersions(version, required) === 0],
  ['=', (version, required) => compareVersions(version, required) === 0],
  ['!=', (version, required) => compareVersions(version, required) !== 0],
  ['>', (version, required) => compareVersions(version, required) > 0],
  ['<', (version, required) => compareVersions(version, required) < 0],
  ['>=', (version, required) => compareVersions(version, required) >= 0],
  ['<=', (version, required) => compareVersions(version, required) <= 0],
  ['~>', isCompatible],
]);

/** A prerelease meets a range only if the range names one with the same numbers: `< 2.0` never matches 2.0.0-beta. */
function isInReach(version: Version, required: Version): boolean {
  if (version.prerelease === '') return true;
  return required.prerelease !== '' && compareSegments(version.segments, required.segments) === 0;
}

/** `~> 1.2.3` is at least 1.2.3 and below 1.3: all written numbers but the last are equal. */
function isCompatible(version: Version, required: Version): boolean {
  if (compareVersions(version, required) < 0) return false;
  if (required.prerelease !== '' && version.prerelease === '') return false;
  const fixed = required.segments.slice(0, required.written - 1);
  return fixed.every((segment, at) => (version.segments[at] ?? 0) === segment);
}

export function compareVersions(a: Version, b: Version): number {
  return compareSegments(a.segments, b.segments) || comparePrereleases(a.prerelease, b.prerelease);
}

function compareSegments(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Semantic Versioning, 11: a release is above its prereleases; numbers compare numerically and are below words. */
function comparePrereleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  const left = a.split('.');
  const right = b.split('.');
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = compareIdentifiers(left[at], right[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  const isNumberA = /^\d+$/.test(a);
  const isNumberB = /^\d+$/.test(b);
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : 1;
}
