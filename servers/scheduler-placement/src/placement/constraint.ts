import { FilterError } from 'tamis';
import type { Node } from '@tamis/scheduler-model/node.js';
import { resolveTarget } from '@tamis/scheduler-model/target.js';
import { compileTextPattern } from '@tamis/scheduler-model/text-pattern.js';
import { parseVersion, parseVersionTest, type VersionTest } from '@tamis/scheduler-model/version.js';

/** A condition on a node, from a constraint or affinity. */
export interface Condition {
  readonly LTarget: string;
  readonly RTarget: string;
  readonly Operand: string;
}

/** Operands that depend on the other allocations, not on the node alone. */
export const distinctOperands: ReadonlySet<string> = new Set(['distinct_hosts', 'distinct_property']);

/** Whether a node meets a condition. Unknown operators and invalid values are never met. */
export function meets({ LTarget, RTarget, Operand }: Condition, node: Node): boolean {
  const left = resolveTarget(LTarget, node);
  const right = resolveTarget(RTarget, node);
  if (Operand === 'is_set') return left !== null;
  if (Operand === 'is_not_set') return left === null;
  // A missing attribute is unequal to every value; no other operator matches it.
  if (isNot.has(Operand)) return left !== right;
  if (left === null || right === null) return false;
  return operators.get(Operand)?.(left, right) ?? false;
}

const isNot: ReadonlySet<string> = new Set(['!=', 'not']);

const operators: ReadonlyMap<string, (left: string, right: string) => boolean> = new Map([
  ['=', isSame],
  ['==', isSame],
  ['is', isSame],
  ['<', (left, right) => compareOrder(left, right) < 0],
  ['<=', (left, right) => compareOrder(left, right) <= 0],
  ['>', (left, right) => compareOrder(left, right) > 0],
  ['>=', (left, right) => compareOrder(left, right) >= 0],
  ['regexp', (left, right) => patternOf(right)(left)],
  ['version', (left, right) => meetsVersion(left, right, false)],
  ['semver', (left, right) => meetsVersion(left, right, true)],
  ['set_contains', containsAll],
  ['set_contains_all', containsAll],
  ['set_contains_any', containsAny],
]);

function isSame(left: string, right: string): boolean {
  return left === right;
}

/** Compares numbers numerically and other values as strings. NaN is compared as a string. */
function compareOrder(left: string, right: string): number {
  const integers = [left, right].map((text) => (/^[+-]?\d{1,18}$/.test(text) ? BigInt(text) : null));
  const [a, b] = integers;
  if (a !== null && a !== undefined && b !== null && b !== undefined) return a < b ? -1 : a > b ? 1 : 0;
  const numbers = [left, right].map((text) => (numberForm.test(text) ? Number(text) : NaN));
  const difference = (numbers[0] ?? NaN) - (numbers[1] ?? NaN);
  if (!Number.isNaN(difference)) return difference;
  return left < right ? -1 : left > right ? 1 : 0;
}

const numberForm = /^[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][+-]?\d{1,4})?$/;

function setOf(list: string): Set<string> {
  return new Set(list.split(',').map((item) => item.trim()));
}

function containsAll(left: string, right: string): boolean {
  const there = setOf(left);
  return [...setOf(right)].every((item) => there.has(item));
}

function containsAny(left: string, right: string): boolean {
  const there = setOf(left);
  return [...setOf(right)].some((item) => there.has(item));
}

/** Maximum number of cached compiled strings per kind. Prevents jobs from filling the memory with patterns. */
const maxCached = 1_000;

/** Caches compiled strings up to the maximum number. */
function retain<T>(compile: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = compile(text);
    if (known.size >= maxCached) known.clear();
    known.set(text, made);
    return made;
  };
}

const looseTests = retain((text) => parseVersionTest(text, false) ?? never);
const strictTests = retain((text) => parseVersionTest(text, true) ?? never);
const never: VersionTest = () => false;

function meetsVersion(left: string, right: string, strict: boolean): boolean {
  const version = parseVersion(left.trim(), strict);
  return version !== null && (strict ? strictTests : looseTests)(right)(version);
}

const patternOf = retain((pattern): ((text: string) => boolean) => {
  try {
    return compileTextPattern(pattern);
  } catch (error) {
    if (error instanceof FilterError) return () => false;
    throw error;
  }
});
