import { expect, it } from 'vitest';
import { readSuite } from '../../conformance/src/index.mjs';
import { resultsOf } from './engine.js';

it('says most of what go-bexpr says about rows, in its words', () => {
  const suite = readSuite();
  const result = resultsOf(suite);
  const found = suite.cases.flatMap((requests) => {
    const { words: theirs } = requests.float64 ?? requests.answer;
    const { words: ours } = theirs === undefined ? {} : result(requests);
    return theirs === undefined || ours === undefined ? [] : [ours.includes(theirs)];
  });
  expect(found.length).toBeGreaterThan(3_000);
  // Most others name a width that numbers of JavaScript do not have, such as int for int64.
  expect(found.filter((same) => same).length / found.length).toBeGreaterThan(0.87);
});
