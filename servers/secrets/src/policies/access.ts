import { foldName } from '../base/fold.js';
import type { Capability, PolicyRule } from './policy.js';

const nothing: readonly Capability[] = ['deny'];

/** One of the paths that lead to the same handler. */
export interface PathAlias {
  readonly path: string;
  /** Number of leading segments that name the route, if the route has several names; otherwise 0. */
  readonly fixed: number;
}

/** Returns all names of a path, including itself. */
export type PathAliases = (path: string) => readonly PathAlias[];

/** Returns only the path itself, because it has no other names. */
export const canonicalPath: PathAliases = (path) => [{ path, fixed: 0 }];

/** The segments of a path or pattern, as written and with case folded. */
interface Segments {
  readonly raw: readonly string[];
  readonly folded: readonly string[];
}

interface Fitting {
  readonly rule: PolicyRule;
  /** The pattern with case folded. Rules with equal keys are combined. */
  readonly key: string;
  /** Numbers to be compared in order. The rule with the first larger number is more specific. */
  readonly rank: readonly number[];
}

/**
 * Returns the capabilities that `rules`, from all policies of a token, allow on `path`. Case is ignored in paths and patterns, as
 * in names. The most specific matching pattern decides. If policies share this pattern, their capabilities are combined, and one
 * `deny` wins. Each name of a path is evaluated separately: a denial on one denies all, otherwise the most specific pattern of
 * all decides. No match is a denial.
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
 * Returns the rules that match one name of a path. The path of a list ends with a slash. Rules without the slash apply to the
 * list too. A rule with the slash allows only lists, but denies both, because some lists match both.
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
    // Below its name, a route has the same segments under each name. So patterns of all names are compared in that part.
    const isNamed = pattern.raw.length >= fixed && pattern.raw.slice(0, fixed).every(isSpelt);
    const key = isNamed ? `/${whole.split('/').slice(fixed).join('/')}` : whole;
    return [{ rule, key, rank: [isNamed ? 1 : 0, ...rankOf(key)] }];
  });
}

/** Whether a segment of a pattern has no wildcard. */
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

/** Cached, because rules are parsed once and evaluated for every request. */
const patterns = new WeakMap<PolicyRule, Segments>();

function patternOf(rule: PolicyRule): Segments {
  const known = patterns.get(rule) ?? segmentsOf(rule.pattern);
  patterns.set(rule, known);
  return known;
}

function segmentsOf(text: string): Segments {
  const path = text.replace(/^\//, '');
  const raw = path.split('/');
  // The whole path is folded at once, which is much faster. If a character folds to a slash, each segment is folded instead.
  const folded = foldName(path).split('/');
  return { raw, folded: folded.length === raw.length ? folded : raw.map(foldName) };
}

/** Returns the index of the first segment that is not a name. After an operation on tokens, segments are tokens or accessors. */
function opaqueFrom({ folded }: Segments): number {
  return folded[0] === 'auth' && folded[1] === 'token' ? 3 : Infinity;
}

function withoutSlash(segments: Segments): Segments {
  const { raw, folded } = segments;
  if (raw.length < 2 || raw[raw.length - 1] !== '') return segments;
  return { raw: raw.slice(0, -1), folded: folded.slice(0, -1) };
}

/** Whether a pattern matches, segment by segment. The time is linear in the length of the path, for any pattern. */
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

/** Returns the key of a pattern. A slash at its end makes no difference. */
function keyOf(pattern: Segments, opaque: number): string {
  return pattern.raw
    .map((_, at) => textAt(pattern, at, opaque))
    .join('/')
    .replace(/\/$/, '');
}

/** Whether rule `a` is more specific. It is if its first wildcard comes later; then if it has no `*`, fewer `+`, or is longer. */
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
