import { foldName } from '../fold.js';
import type { Capability, PolicyRule } from './policy.js';

const nothing: readonly Capability[] = ['deny'];

/** A path, or the pattern of one, in the spelling that rules are compared in. */
interface Spelling {
  readonly raw: readonly string[];
  readonly folded: readonly string[];
}

interface Fitting {
  readonly rule: PolicyRule;
  /** The pattern without its spelling: rules that share it are one. */
  readonly key: string;
}

/**
 * What `rules`, taken from all policies of a token, allow on `path`. Case makes no difference, in the path or in the
 * patterns, because it makes none to names. The most specific pattern that fits decides alone; where policies share a
 * pattern their capabilities add up, and one `deny` among them wins. Nothing that fits is a denial too.
 */
export function capabilitiesOn(path: string, rules: readonly PolicyRule[]): readonly Capability[] {
  const given = spellingOf(path);
  const opaque = opaqueFrom(given);
  const fitting = rules.flatMap((rule): readonly Fitting[] => {
    const pattern = patternOf(rule);
    return fits(rule, pattern, given, opaque) ? [{ rule, key: keyOf(pattern, opaque) }] : [];
  });
  const best = fitting.reduce<Fitting | null>(
    (found, next) => (found === null || isMoreSpecific(next, found) ? next : found),
    null,
  );
  const granted = fitting.filter(({ key }) => key === best?.key).flatMap(({ rule }) => rule.capabilities);
  return granted.length === 0 || granted.includes('deny') ? nothing : [...new Set(granted)].sort();
}

/** Rules are read once and asked by every request. */
const patterns = new WeakMap<PolicyRule, Spelling>();

function patternOf(rule: PolicyRule): Spelling {
  const known = patterns.get(rule) ?? spellingOf(rule.pattern);
  patterns.set(rule, known);
  return known;
}

/** Old clients call policies by another path. To rules both are the one that is used. */
const aliases: readonly (readonly [alias: readonly string[], path: readonly string[]])[] = [
  [
    ['sys', 'policy'],
    ['sys', 'policies', 'acl'],
  ],
];

function spellingOf(text: string): Spelling {
  const written = text.replace(/^\//, '').split('/');
  const alias = aliases.find(([names]) => names.every((name, at) => foldName(written[at] ?? '') === name));
  const raw = alias === undefined ? written : [...alias[1], ...written.slice(alias[0].length)];
  return { raw, folded: raw.map(foldName) };
}

/** The first segment that is no name: what stands behind an operation on tokens is a token or an accessor. */
function opaqueFrom({ folded }: Spelling): number {
  return folded[0] === 'auth' && folded[1] === 'token' ? 3 : Infinity;
}

/**
 * Compares segment by segment: no pattern can make this slower than the path is long. The slash at the end of a list
 * is part of no name: what is allowed or denied without it is so with it. What is allowed with it is allowed for lists
 * alone; what is denied with it is denied without, for there are lists that answer to both.
 */
function fits({ capabilities }: PolicyRule, pattern: Spelling, path: Spelling, opaque: number): boolean {
  const name = withoutSlash(path);
  return (
    fitsSegments(pattern, path, opaque) ||
    fitsSegments(pattern, name, opaque) ||
    (capabilities.includes('deny') && fitsSegments(withoutSlash(pattern), name, opaque))
  );
}

function withoutSlash(spelling: Spelling): Spelling {
  const { raw, folded } = spelling;
  if (raw.length < 2 || raw[raw.length - 1] !== '') return spelling;
  return { raw: raw.slice(0, -1), folded: folded.slice(0, -1) };
}

function fitsSegments(pattern: Spelling, path: Spelling, opaque: number): boolean {
  const last = pattern.raw.length - 1;
  const isPrefix = pattern.raw[last]?.endsWith('*') ?? false;
  if (isPrefix ? path.raw.length <= last : path.raw.length !== last + 1) return false;
  return pattern.raw.every((segment, at) => {
    const wanted = textAt(pattern, at, opaque);
    const other = textAt(path, at, opaque);
    if (isPrefix && at === last) return other.startsWith(withoutStar(segment, at, opaque));
    return segment === '+' ? other !== '' : wanted === other;
  });
}

function textAt({ raw, folded }: Spelling, at: number, opaque: number): string {
  return (at < opaque ? folded[at] : raw[at]) ?? '';
}

function withoutStar(segment: string, at: number, opaque: number): string {
  const start = segment.slice(0, -1);
  return at < opaque ? foldName(start) : start;
}

/** A slash at the end makes no other pattern. */
function keyOf(pattern: Spelling, opaque: number): string {
  return pattern.raw
    .map((_, at) => textAt(pattern, at, opaque))
    .join('/')
    .replace(/\/$/, '');
}

/** The later the first wildcard, the more specific; then no `*` before one, fewer `+`, and the longer pattern. */
function isMoreSpecific(a: Fitting, b: Fitting): boolean {
  const [first, second] = [rank(a.key), rank(b.key)];
  for (const [at, value] of first.entries()) {
    const other = second[at] ?? 0;
    if (value !== other) return value > other;
  }
  return a.key > b.key;
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
