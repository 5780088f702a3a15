import type { Step } from '../../schema/resolve.js';
import { internText } from '../../values/intern.js';
import { isInheritedKey } from '../../values/own-property.js';
import { accessors, chains, keyedAccessors, type FastRead } from './leaves.generated.js';
import type { Copies } from './pool.js';

/** Longest path that is fused: each part is a call within a call, and thousands of them would exhaust the stack. */
const longestFused = 16;

/**
 * The property names of a path that plain property reads can follow, null for one that they cannot: a part that is a
 * list index, cannot be followed at all, or is found on things that have no parts (`length`, or a character of a text),
 * or very many parts. What such reads return is what the careful reader returns wherever that is a text, a number or a
 * boolean.
 */
export function plainNames(steps: readonly Step[]): readonly string[] | null {
  if (steps.length > longestFused) return null;
  const names: string[] = [];
  for (const step of steps) {
    if (step.kind === 'index' || step.kind === 'impossible') return null;
    const name = step.kind === 'open' ? step.part : step.property;
    if (name === 'length' || isInheritedKey(name) || /^[0-9]+$/.test(name)) return null;
    names.push(name);
  }
  return names;
}

/** A reader of its own for a path: undefined where the path ends early, the holder itself for no path. */
export function createFastRead(names: readonly string[], copies: Copies): FastRead {
  if (names.length === 0) return (holder) => holder;
  return names
    .map((name) => readOf(name, copies))
    .reduce((first, second) => copies.take(chains)(first, second));
}

function readOf(name: string, copies: Copies): FastRead {
  const known = accessors.get(name);
  return known === undefined ? copies.take(keyedAccessors)(internText(name)) : copies.take(known);
}
