import { makeJob, type Job } from './job.js';
import { makeNode, type Node } from './node.js';
import { createRandom, seedOf, type Random } from './random.js';
import { reshape, type ShapeMode } from './shape.js';

/** The two lists that the cases filter. */
export interface Rows {
  readonly jobs: readonly Job[];
  readonly nodes: readonly Node[];
}

export type RowKind = keyof Rows;

const kindSeeds = { jobs: 11, nodes: 23 } as const;

/**
 * Makes the rows and reads them as a server does: each comes out of `JSON.parse` of a text of its own. What that does
 * to them is part of the measurement: objects with the same keys in the same order share a shape, equal values of up
 * to ten characters are one string, and longer ones are a string for each row, even where they are equal.
 *
 * The first n rows are the same whatever the size, and have the same values in both modes. Rows that are whole, as a table
 * wants them, lack no field of the schema.
 */
export function loadRows(
  mode: ShapeMode,
  size: number,
  kinds: readonly RowKind[] = ['jobs', 'nodes'],
  isWhole = false,
): Rows {
  const read = <T>(kind: RowKind, make: (random: Random, index: number) => T): readonly T[] => {
    const rows: T[] = [];
    for (let index = 0; index < (kinds.includes(kind) ? size : 0); index += 1) {
      const seed = kindSeeds[kind];
      const made = make(createRandom(seedOf(seed, index)), index);
      const laidOut = mode === 'mono' ? made : reshape(made, createRandom(seedOf(seed, index, 97)), isWhole);
      rows.push(JSON.parse(JSON.stringify(laidOut)) as T);
    }
    return rows;
  };
  return { jobs: read('jobs', makeJob), nodes: read('nodes', makeNode) };
}
