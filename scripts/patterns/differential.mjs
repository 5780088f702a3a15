/**
 * The long form of the differential test: random patterns and texts, each answered by re2js, by the way that the
 * pattern takes, and by the automaton with and without simplification. Any difference is printed and fails the run.
 *
 *   node --import tsx scripts/patterns/differential.mjs [number of patterns] [seed]
 *
 * 15,000 patterns with 8 texts each take about ten seconds.
 */
import { RE2JS } from 're2js';
import { automatonTest } from '../../src/values/pattern/automaton.ts';
import { compilePattern } from '../../src/values/pattern/index.ts';
import { parsePattern } from '../../src/values/pattern/parser.ts';
import { simplify } from '../../src/values/pattern/simplify.ts';
import { generatePattern, generateText, randomOf } from '../../test/values/pattern/generate.ts';

const [count = '15000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const textsEach = 8;
const limits = { maxPatternLength: Infinity, maxPatternSize: Infinity };
const random = randomOf(Number(seed));
const ways = { string: 0, native: 0, guarded: 0, re2: 0 };
let pairs = 0;
let found = 0;
let differences = 0;

for (let i = 0; i < Number(count); i += 1) {
  const source = generatePattern(random, 5);
  const oracle = RE2JS.compile(source);
  const { node } = parsePattern(source);
  const pattern = compilePattern(source, limits);
  ways[pattern.way] += 1;
  const tests = [
    [pattern.way, pattern.test],
    ['automaton', automatonTest(node)],
    ['simplified', automatonTest(simplify(node))],
  ];
  for (let j = 0; j < textsEach; j += 1) {
    const text = generateText(random, node);
    const expected = oracle.test(text);
    pairs += 1;
    if (expected) found += 1;
    for (const [name, test] of tests) {
      if (test(text) === expected) continue;
      differences += 1;
      console.error(`${name}: ${JSON.stringify(source)} in ${JSON.stringify(text)} is not ${expected}`);
    }
  }
}
console.log({ seed, pairs, found, differences, ways });
if (differences > 0) process.exitCode = 1;
