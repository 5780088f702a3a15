import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The result of an implementation for a case. One of: `tree` (the expression as it was read), `value` (of the row), `error` with
 * its class, `findings` of a lint, `skip` with a reason of {@link skipReasons}; `accepted`, if a tree is not known or not
 * reported.
 *
 * @typedef {object} Answer
 * @property {unknown} [tree]
 * @property {boolean} [accepted]
 * @property {boolean} [value]
 * @property {'syntax' | 'check' | 'evaluation' | 'limit' | 'decode'} [error] `check`: before any row; `decode`: the row cannot be read
 * @property {string} [class]
 * @property {string} [words]
 * @property {readonly string[]} [findings] the codes of what a lint says, each once, in any order
 * @property {string} [skip]
 */
/**
 * A case with its expected result. Without a row it tests how the expression is read, or the findings of a lint.
 *
 * @typedef {object} Case
 * @property {string} id never changes, and is never used again
 * @property {string} family the file that it is in
 * @property {readonly string[]} sentences IDs of the rules that it tests
 * @property {0 | 1} level
 * @property {'standard'} [dialect] absent: `go-bexpr`, which checks nothing before a row reaches it
 * @property {'lint'} [asks] absent: a value, or how the expression is read
 * @property {string} expression
 * @property {string} [schema] the struct that the row is; absent: the row declares nothing
 * @property {string} [row] JSON, as text because its digits matter
 * @property {unknown} [unknown] what a missing key or field reads as
 * @property {string} [now] RFC 3339, for a filter that reads the clock
 * @property {Answer} answer
 * @property {readonly string[]} [forms] what the expression has of that only `standard` reads
 * @property {Answer} [float64] the result if every number of no declared kind is a float64, given if it differs
 * @property {true} [anyNumber] a float64 may be refused for another reason than an integer
 * @property {string} source `go-bexpr 0.1.16` recorded it; `page` is an example of the page; `level 1` and `lint` are Tamis's own
 * @property {string} [decided] not what the source says, but what is right, and why: a key of `decisions.json`
 * @property {Answer | { panic: string }} [recorded] in addition to `decided`: the result of the library
 */
/**
 * A rule of the pages about the language: a sentence, a list item or a table row. `untested` says why there is no case for it.
 *
 * @typedef {object} SentenceEntry
 * @property {string} id
 * @property {string} text
 * @property {string} [untested]
 */
/**
 * @typedef {object} Suite
 * @property {readonly Case[]} cases
 * @property {readonly SentenceEntry[]} sentences
 * @property {{ readonly structs: import('./row.mjs').Structs }} schemas
 */

/** Why a program may leave a case out. */
export const skipReasons = Object.freeze({
  level: 'it reads level 0 only',
  dialect: 'it does not read this dialect',
  schema: 'it wants a schema where there is none, or the other way round, or one of another kind',
  unknown: 'it has no value for what is missing',
  lint: 'it has no lint',
  number: 'the row holds a number that it does not have',
  pattern: 'its patterns are not those of RE2',
  size: 'the expression or the row is larger than it takes',
});

/** The folder of data in this package. */
export const dataFolder = fileURLToPath(new URL('../data', import.meta.url));

/**
 * @param {string} [folder]
 * @returns {Suite}
 */
export function readSuite(folder = dataFolder) {
  const rows = new Map(readLines(join(folder, 'rows.jsonl')).map(({ id, json }) => [id, json]));
  const cases = readdirSync(join(folder, 'cases'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFamily(join(folder, 'cases', name), name.slice(0, -'.jsonl'.length), rows));
  return {
    cases,
    sentences: readLines(join(folder, 'sentences.jsonl')),
    schemas: JSON.parse(readFileSync(join(folder, 'schemas.json'), 'utf8')),
  };
}

/**
 * @param {string} path
 * @param {string} family
 * @param {ReadonlyMap<string, string>} rows
 * @returns {Case[]}
 */
function readFamily(path, family, rows) {
  return readLines(path).map((line) => {
    if (line.row === undefined) return { ...line, family };
    const row = rows.get(line.row);
    if (row === undefined) throw new Error(`${path}: case ${line.id}: there is no row ${line.row}`);
    return { ...line, family, row };
  });
}

/**
 * The objects of a file, one a line. Lines end in `\n` only: texts may hold U+2028 and carriage returns.
 *
 * @param {string} path
 * @returns {any[]}
 */
export function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line === '') return [];
      try {
        return [JSON.parse(line)];
      } catch (error) {
        throw new Error(`${path}:${index + 1}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
}
