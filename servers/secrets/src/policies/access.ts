import type { Capability, PolicyRule } from './policy.js';

const nothing: readonly Capability[] = ['deny'];

/**
 * What `rules`, taken from all policies of a token, allow on `path`. The most specific pattern that fits decides
 * alone; where policies share a pattern their capabilities add up, and one `deny` among them wins. Nothing that fits
 * is a denial too.
 */
export function capabilitiesOn(path: string, rules: readonly PolicyRule[]): readonly Capability[] {
  const fitting = rules.filter(({ pattern }) => fits(pattern, path));
  const best = fitting.reduce<string | null>(
    (found, { pattern }) => (found === null || isMoreSpecific(pattern, found) ? pattern : found),
    null,
  );
  const granted = fitting.filter(({ pattern }) => pattern === best).flatMap((rule) => rule.capabilities);
  return granted.length === 0 || granted.includes('deny') ? nothing : [...new Set(granted)].sort();
}

/** Compares segment by segment: no pattern can make this slower than the path is long. */
function fits(pattern: string, path: string): boolean {
  const isPrefix = pattern.endsWith('*');
  const wanted = (isPrefix ? pattern.slice(0, -1) : pattern).split('/');
  const given = path.split('/');
  if (isPrefix ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, at) => {
    const other = given[at] ?? '';
    if (isPrefix && at === wanted.length - 1) return other.startsWith(segment);
    return segment === '+' ? other !== '' : segment === other;
  });
}

/** The later the first wildcard, the more specific; then no `*` before one, fewer `+`, and the longer pattern. */
function isMoreSpecific(a: string, b: string): boolean {
  const [first, second] = [rank(a), rank(b)];
  for (const [at, value] of first.entries()) {
    const other = second[at] ?? 0;
    if (value !== other) return value > other;
  }
  return a > b;
}

function rank(pattern: string): readonly number[] {
  const segments = pattern.split('/');
  const plus = segments.indexOf('+');
  const plusAt =
    plus === -1 ? Infinity : segments.slice(0, plus).reduce((at, { length }) => at + length + 1, 0);
  const starAt = pattern.endsWith('*') ? pattern.length - 1 : Infinity;
  const pluses = segments.filter((segment) => segment === '+').length;
  return [Math.min(plusAt, starAt), starAt === Infinity ? 1 : 0, -pluses, pattern.length];
}
