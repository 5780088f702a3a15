import { expect, it } from 'vitest';
import { readSuite } from '../../conformance/src/index.mjs';
import { answersOf } from './engine.js';

it('says most of what go-bexpr says about rows, in its words', () => {
  const suite = readSuite();
  const answer = answersOf(suite);
  const found = suite.cases.flatMap((asked) => {
    const { words: theirs } = asked.float64 ?? asked.answer;
    const { words: ours } = theirs === undefined ? {} : answer(asked);
    return theirs === undefined || ours === undefined ? [] : [ours.includes(theirs)];
  });
  expect(found.length).toBeGreaterThan(3_000);
  // Most others name a width that numbers of JavaScript do not have, such as int for int64.
  expect(found.filter((same) => same).length / found.length).toBeGreaterThan(0.87);
});
