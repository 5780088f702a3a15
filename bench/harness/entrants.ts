import type { FilterCase } from '../cases/cases.js';
import { oneShots, type OneShot } from '../cases/one-shot.js';
import { handWrittenTests } from '../cases/predicates.js';
import {
  CannotExpress,
  filterRows,
  tryWrite,
  type Competitor,
  type Reference,
  type Written,
} from '../competitors/competitor.js';
import type { Rows } from '../data/rows.js';
import { requireCount, requireSameRows } from './expected-results.js';
import type { Contender } from './rounds.js';
import type { Variant } from './variant.js';

/** One who is timed on a case, and the name of whom it is compared with. */
export interface Entrant {
  readonly contender: Contender;
  readonly reference: string;
}

/** A case that a competitor's language cannot express. */
export interface Gap {
  readonly case: string;
  readonly competitor: string;
  readonly reason: string;
}

/** The name under which the hand-written loop is listed. */
export const handWritten = 'hand-written';

/** The names of all that others are compared with. */
const references: Readonly<Record<Reference, string>> = {
  loop: handWritten,
  predicate: 'hand-written test',
  'one-shot': 'hand-written once',
};

/** Whether others are compared with it. */
export function isReference(name: string): boolean {
  return Object.values(references).includes(name);
}

/** The name of the least that a one-shot filter must do: to read the text, and then to be as fast as the loop. */
export function floorOf(competitor: string): string {
  return `${competitor} floor`;
}

/** The name of the hand-written predicate in a `rows.filter` of its own. */
const inAPlaceOfItsOwn = 'hand-written alone';

/** Number of different literals of a one-shot filter before it starts over. */
const turnCount = 1000;

/** Compiles a case for all who can express it, and makes sure that they find the very rows that the case names. */
export async function enter(
  filterCase: FilterCase,
  competitors: readonly Competitor[],
  rows: Rows,
  variant: Variant,
): Promise<{ entrants: Entrant[]; missing: Gap[] }> {
  const { id, condition, kind, byHand, matches } = filterCase;
  const expected = byHand(rows);
  requireCount(`${id} by hand on ${variant.name}`, expected, matches[variant.size]);
  const used = new Set<Reference>(['loop', ...competitors.map(({ against = 'loop' }) => against)]);
  const entrants = [...used].map((reference) => ({
    contender: createReference(filterCase, reference, rows, expected),
    reference: references[reference],
  }));
  const missing: Gap[] = [];
  for (const competitor of competitors) {
    const { name, against = 'loop' } = competitor;
    const reference = references[against];
    const written = tryWrite(competitor, { condition, kind });
    if (written instanceof CannotExpress) {
      missing.push({ case: id, competitor: name, reason: written.message });
      continue;
    }
    const select = written.compile();
    await requireSameRows(`${id} with ${name} (${written.form})`, select, rows[kind], expected);
    const contenders =
      against === 'one-shot'
        ? await enterOneShot(competitor, filterCase, rows)
        : [createContender(name, () => select(rows[kind]), expected)];
    entrants.push(...contenders.map((contender) => ({ contender, reference })));
  }
  if (used.has('predicate')) entrants.push(enterAlone(filterCase, rows, expected));
  return { entrants, missing };
}

function createReference(
  { id, kind, byHand }: FilterCase,
  reference: Reference,
  rows: Rows,
  expected: readonly unknown[],
): Contender {
  const name = references[reference];
  if (reference === 'one-shot')
    return createTurning(name, id, rows, (turn, { byHand: once }) => once(rows, turn));
  if (reference === 'loop') return createContender(name, () => byHand(rows), expected);
  const { test } = ofCase(handWrittenTests, id);
  requireCount(`${id} with ${name}`, filterRows(rows[kind], test), expected.length);
  return createContender(name, () => filterRows(rows[kind], test), expected);
}

/** What V8 makes of a predicate by hand that has `rows.filter` to itself. */
function enterAlone({ id, kind }: FilterCase, rows: Rows, expected: readonly unknown[]): Entrant {
  const { alone } = ofCase(handWrittenTests, id);
  requireCount(`${id} with ${inAPlaceOfItsOwn}`, alone(rows[kind]), expected.length);
  const contender = createContender(inAPlaceOfItsOwn, () => alone(rows[kind]), expected);
  return { contender, reference: references.predicate };
}

function createContender(name: string, run: () => unknown, expected: readonly unknown[]): Contender {
  const check = (result: unknown): void => requireCount(name, result as readonly unknown[], expected.length);
  return { name, run, check };
}

/** The filter with another literal each time, and the floor beneath it. */
async function enterOneShot(
  competitor: Competitor,
  { id, kind }: FilterCase,
  rows: Rows,
): Promise<Contender[]> {
  const { name, read } = competitor;
  const oneShot = ofCase(oneShots, id);
  const written: Written[] = [];
  for (let turn = 0; turn < turnCount; turn += 1)
    written.push(competitor.write({ condition: oneShot.condition(turn), kind }));
  // The turn is below the number of what was written.
  const writtenFor = (turn: number): Written => written[turn] as Written;
  for (const turn of [0, 1, 17]) {
    const { form, compile } = writtenFor(turn);
    await requireSameRows(`${name} (${form})`, compile(), rows[kind], oneShot.byHand(rows, turn));
  }
  const contender = createTurning(name, id, rows, (turn) => writtenFor(turn).compile()(rows[kind]));
  if (read === undefined) return [contender];
  const runFloor = (turn: number): readonly unknown[] => {
    read(writtenFor(turn).form);
    return oneShot.byHand(rows, turn);
  };
  return [contender, createTurning(floorOf(name), id, rows, runFloor)];
}

/** A contender that has another literal each time. */
function createTurning(
  name: string,
  id: string,
  rows: Rows,
  run: (turn: number, oneShot: OneShot) => unknown,
): Contender {
  const oneShot = ofCase(oneShots, id);
  let turn = 0;
  return {
    name,
    run: () => {
      turn = (turn + 1) % turnCount;
      return run(turn, oneShot);
    },
    check: (result) => requireCount(name, result as readonly unknown[], oneShot.byHand(rows, turn).length),
  };
}

function ofCase<T>(entries: Readonly<Record<string, T>>, id: string): T {
  const entry = entries[id];
  if (entry === undefined) throw new RangeError(`nothing was written by hand for ${id}`);
  return entry;
}
