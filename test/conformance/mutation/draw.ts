import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom } from '../../fuzz/random.js';
import { proposeChanges, type Change } from './propose.js';
import { readSource } from './run-suite.js';

/** Where the engine says what a filter means. */
const folders = [
  'language/syntax',
  'language/operators',
  'filter/compile',
  'filter/compile/frame',
  'filter/compile/operators',
  'language/schema',
  'language/values',
  'language/values/instance',
  'language/values/pattern',
];

/** Excluded files in them, about words, costs, indexes and other readers of a tree: no result of the suite depends on those. */
const excluded =
  /(advice|choose-\w+|describe|dialect|execution|expectation|factory|failure|[\w-]*fix(es)?|go-messages|go-quote|indexed-field|field-index|ordered-index|index-keys|intern|json[\w-]*|key-range|scan-range|lazy|may-fail|meter|native|nesting|object-class|charge-function|plan|print|proof|read-tree|rewrite|simplify|string-strategy|substring-sequence|suggest|syntax-error|text-search|unequal-literal|visit|wording)\.ts$/;

/** Changes of the files in turn, in an order that the seed gives, without those that are `known`. */
export function drawChanges(seed: number, count: number, known: readonly Change[]): readonly Change[] {
  if (count === 0) return [];
  const { below } = createRandom(seed);
  const isNew = (change: Change): boolean =>
    !known.some(
      ({ file, find, replace }) => file === change.file && find === change.find && replace === change.replace,
    );
  const files = folders.flatMap(filesIn).map((file) => proposeChanges(file, readSource(file)).filter(isNew));
  const drawn: Change[] = [];
  while (drawn.length < count) {
    const open = files.filter((changes) => changes.length > 0);
    if (open.length === 0) break;
    for (const changes of open) drawn.push(...changes.splice(below(changes.length), 1));
  }
  return drawn.slice(0, count);
}

function filesIn(folder: string): readonly string[] {
  const path = fileURLToPath(new URL(`../../../src/${folder}`, import.meta.url));
  return readdirSync(path)
    .filter((name) => name.endsWith('.ts') && !excluded.test(name))
    .sort()
    .map((name) => join('src', folder, name));
}
