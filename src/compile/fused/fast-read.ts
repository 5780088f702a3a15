import type { Step } from '../../schema/resolve.js';
import { internText } from '../../values/intern.js';
import { standsFor } from '../../values/own-names.js';
import { isRecord } from '../../values/kind.js';
import { isBuiltInKey, isInheritedKey } from '../../values/own-property.js';
import { accessors, chains, keyedAccessors, type FastRead } from './leaves.generated.js';
import type { Copies } from './pool.js';

/** Longest path that is fused: each part is a call within a call, and thousands of them would exhaust the stack. */
const longestFused = 16;

/**
 * The property names of a path that plain property reads can follow, null for one that they cannot: a part that is a
 * list index, cannot be followed at all, or is found on things that have no such parts (a character of a text),
 * or very many parts. What such reads return is what the careful reader returns wherever that is a text, a number or a
 * boolean.
 */
export function plainNames(steps: readonly Step[]): readonly string[] | null {
  if (steps.length > longestFused) return null;
  const names: string[] = [];
  for (const step of steps) {
    if (step.kind === 'index' || step.kind === 'impossible') return null;
    const name = step.kind === 'open' ? step.part : step.property;
    if (isInheritedKey(name) || /^[0-9]+$/.test(name)) return null;
    names.push(name);
  }
  return names;
}

/** Holders that reads of a longer path came by, outermost first. */
export type Trail = readonly { value: unknown }[];

export function createTrail(names: readonly string[]): Trail {
  return names.slice(1).map(() => ({ value: undefined }));
}

/** A reader of its own for a path: undefined where the path ends early, the holder itself for no path. */
export function createFastRead(names: readonly string[], copies: Copies, trail: Trail): FastRead {
  const [first, ...rest] = names;
  if (first === undefined) return (holder) => holder;
  return rest.reduce(
    (read, name, at) => copies.take(chains)(read, readOf(name, copies), trail[at] as { value: unknown }),
    readOf(first, copies),
  );
}

function readOf(name: string, copies: Copies): FastRead {
  if (isBuiltInKey(name)) return (holder) => (isRecord(holder) ? holder[name] : undefined);
  const known = accessors.get(name);
  return known === undefined ? copies.take(keyedAccessors)(internText(name)) : copies.take(known);
}

/**
 * A row in which the careful closures find what a fast read has found, so that nothing is read a second time: a getter
 * could answer differently. From the first holder on that is no record the real ones stand in it.
 */
export function standIn(row: unknown, found: unknown, names: readonly string[], trail: Trail): unknown {
  const holders = [row, ...trail.map(({ value }) => value)].slice(0, names.length);
  const odd = holders.findIndex((holder) => !isRecord(holder));
  let value = odd < 0 ? found : holders[odd];
  for (let at = (odd < 0 ? names.length : odd) - 1; at >= 0; at -= 1) {
    // A name for each holder.
    value = { [names[at] as string]: value, [standsFor]: holders[at] };
  }
  return value;
}
