/** A version as SemVer 2.0 writes it, without what does not count. */
export interface Version {
  readonly core: readonly bigint[];
  /** Empty for a release. */
  readonly pre: readonly string[];
}

const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const form = new RegExp(
  `^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-(${identifiers}))?(?:\\+${identifiers})?$`,
);

export function versionOf(text: string): Version | null {
  const found = form.exec(text);
  if (found === null) return null;
  const pre = found[4] === undefined ? [] : found[4].split('.');
  // A number in front of a release has no leading zeros either.
  if (pre.some((part) => /^0\d+$/.test(part))) return null;
  return { core: found.slice(1, 4).map(BigInt), pre };
}

/** Section 11 of SemVer 2.0. */
export function compareVersions(a: Version, b: Version): number {
  for (const [index, part] of a.core.entries()) {
    const other = b.core[index] ?? 0n;
    if (part !== other) return part < other ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (const [index, part] of a.pre.entries()) {
    const other = b.pre[index];
    if (other === undefined) return 1;
    if (part !== other) return compareIdentifiers(part, other);
  }
  return a.pre.length - b.pre.length;
}

function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOther) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}
