import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readDatum } from './datum.js';
import { createEngine } from './judge.js';
import { skipList } from './skip-list.js';
import { readVectors, type EvaluationVector } from './vector.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'vectors');
const vectors = readVectors(folder, folder);
const evaluate = createEngine(vectors);

/** What both say; null where go-bexpr has none that we could have. */
function wordsOf(vector: EvaluationVector): { readonly theirs: string; readonly ours: string } | null {
  const { stage, class: code, error: theirs } = vector.asFloat64 ?? vector;
  const datum = vectors.datums.get(vector.datum);
  if (stage !== 'eval' || code === 'panic' || theirs === undefined || datum === undefined) return null;
  if (skipList.has(vector.id)) return null;
  const { error: ours } = evaluate(vector, readDatum(datum, vector.type, vectors.structs));
  return ours === undefined ? null : { theirs, ours };
}

it('says most of what go-bexpr says about rows, in its words', () => {
  const found = [...vectors.untyped, ...vectors.typed].map(wordsOf).filter((words) => words !== null);
  const same = found.filter(({ theirs, ours }) => ours.includes(theirs)).length;
  expect(found.length).toBe(1_487);
  // Most others name a width that numbers of JavaScript do not have, such as int for int64.
  expect(same).toBeGreaterThanOrEqual(1_300);
});
