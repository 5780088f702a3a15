import { foldName } from '../base/fold.js';
import type { Capability, PolicyRule } from './policy.js';

const nothing: readonly Capability[] = ['deny'];

/** A spelling of a path: one of the names that lead to the same handler. */
export interface PathAlias {
  readonly path: string;
  /** How many segments at its beginning are the name of the route, where it has others; else 0. */
  readonly fixed: number;
}

/** All spellings of a path, itself among them. */
export type PathAliases = (path: string) => readonly PathAlias[];

/** Those of a path that has no other name. */
export const canonicalPath: PathAliases = (path) => [{ path, fixed: 0 }];

/** A path, or the pattern of one, as rules are compared. */
interface Segments {
  readonly raw: readonly string[];
  readonly folded: readonly string[];
}

interface Fitting {
  readonly rule: PolicyRule;
  /** The pattern without its spelling: rules that share it are one. */
  readonly key: string;
  /** Larger is more specific, from the first number that differs. */
  readonly rank: readonly number[];
}

/**
 * What `rules`, taken from all policies of a token, allow on `path`. Case makes no difference, in the path or in the
 * patterns, because it makes none to names. The most specific pattern that fits decides alone; where policies share a
 * pattern their capabilities add up, and one `deny` among them wins. Of several spellings each is judged by itself, and
 * what is denied on one is denied on all; else the most specific pattern of all decides. Nothing that fits is a denial
 * too.
 */
export function capabilitiesOn(
  path: string,
  rules: readonly PolicyRule[],
  aliases: PathAliases = canonicalPath,
): readonly Capability[] {
  const fitting = aliases(path).map((alias) => fittingOf(alias, rules));
  const decisions = [fitting.flat(), ...(fitting.length > 1 ? fitting : [])].map(decide);
  const [granted = []] = decisions;
  const isDenied = granted.length === 0 || decisions.some((decision) => decision.includes('deny'));
  return isDenied ? nothing : [...new Set(granted)].sort();
}

/**
 * The rules that match one spelling of a path. The trailing slash of a list is not part of a name: what is allowed or denied
 * without it is so with it. What is allowed with it is allowed for lists alone; what is denied with it is denied without, for
 * there are lists that match both.
 */
function fittingOf({ path, fixed }: PathAlias, rules: readonly PolicyRule[]): readonly Fitting[] {
  const given = segmentsOf(path);
  const bare = withoutSlash(given);
  const opaque = opaqueFrom(given);
  return rules.flatMap((rule): readonly Fitting[] => {
    const pattern = patternOf(rule);
    const isDenial = rule.capabilities.includes('deny');
    const doesFit =
      fitsSegments(pattern, given, opaque) ||
      fitsSegments(pattern, bare, opaque) ||
      (isDenial && fitsSegments(withoutSlash(pattern), bare, opaque));
    if (!doesFit) return [];
    const whole = keyOf(pattern, opaque);
    // After its name a route has the same segments under each: there patterns of all names are compared.
    const isNamed = pattern.raw.length >= fixed && pattern.raw.slice(0, fixed).every(isSpelt);
    const key = isNamed ? `/${whole.split('/').slice(fixed).join('/')}` : whole;
    return [{ rule, key, rank: [isNamed ? 1 : 0, ...rankOf(key)] }];
  });
}

/** Whether a segment of a pattern spells one of a path out. */
function isSpelt(segment: string): boolean {
  return segment !== '+' && !segment.endsWith('*');
}

function decide(fitting: readonly Fitting[]): readonly Capability[] {
  const best = fitting.reduce<Fitting | null>(
    (found, next) => (found === null || isMoreSpecific(next, found) ? next : found),
    null,
  );
  return fitting.filter(({ key }) => key === best?.key).flatMap(({ rule }) => rule.capabilities);
}

/** Rules are read once and evaluated by every request. */
const patterns = new WeakMap<PolicyRule, Segments>();

function patternOf(rule: PolicyRule): Segments {
  const known = patterns.get(rule) ?? segmentsOf(rule.pattern);
  patterns.set(rule, known);
  return known;
}

function segmentsOf(text: string): Segments {
  const path = text.replace(/^\//, '');
  const raw = path.split('/');
  // All at once, which is much cheaper; there are signs that fold to a slash.
  const folded = foldName(path).split('/');
  return { raw, folded: folded.length === raw.length ? folded : raw.map(foldName) };
}

/** The first segment that is not a name: the one after an operation on tokens is a token or an accessor. */
function opaqueFrom({ folded }: Segments): number {
  return folded[0] === 'auth' && folded[1] === 'token' ? 3 : Infinity;
}

function withoutSlash(segments: Segments): Segments {
  const { raw, folded } = segments;
  if (raw.length < 2 || raw[raw.length - 1] !== '') return segments;
  return { raw: raw.slice(0, -1), folded: folded.slice(0, -1) };
}

/** Compares segment by segment: no pattern can make this slower than the path is long. */
function fitsSegments(pattern: Segments, path: Segments, opaque: number): boolean {
  const last = pattern.raw.length - 1;
  const isPrefix = pattern.raw[last]?.endsWith('*') ?? false;
  if (isPrefix ? path.raw.length <= last : path.raw.length !== last + 1) return false;
  return pattern.raw.every((segment, at) => {
    const requested = textAt(pattern, at, opaque);
    const other = textAt(path, at, opaque);
    if (isPrefix && at === last) return other.startsWith(withoutStar(segment, at, opaque));
    return segment === '+' ? other !== '' : requested === other;
  });
}

function textAt({ raw, folded }: Segments, at: number, opaque: number): string {
  return (at < opaque ? folded[at] : raw[at]) ?? '';
}

function withoutStar(segment: string, at: number, opaque: number): string {
  const start = segment.slice(0, -1);
  return at < opaque ? foldName(start) : start;
}

/** A slash at the end makes no other pattern. */
function keyOf(pattern: Segments, opaque: number): string {
  return pattern.raw
    .map((_, at) => textAt(pattern, at, opaque))
    .join('/')
    .replace(/\/$/, '');
}

/** The later the first wildcard, the more specific; then no `*` before one, fewer `+`, and the longer pattern. */
function isMoreSpecific(a: Fitting, b: Fitting): boolean {
  for (const [at, value] of a.rank.entries()) {
    const other = b.rank[at] ?? 0;
    if (value !== other) return value > other;
  }
  return a.key > b.key;
}

function rankOf(pattern: string): readonly number[] {
  const segments = pattern.split('/');
  const plus = segments.indexOf('+');
  const plusAt =
    plus === -1 ? Infinity : segments.slice(0, plus).reduce((at, { length }) => at + length + 1, 0);
  const starAt = pattern.endsWith('*') ? pattern.length - 1 : Infinity;
  const pluses = segments.filter((segment) => segment === '+').length;
  return [Math.min(plusAt, starAt), starAt === Infinity ? 1 : 0, -pluses, pattern.length];
}
