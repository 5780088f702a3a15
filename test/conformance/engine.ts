import { createTamisAnswers, tamisProgram, type Engine } from '../../conformance/drivers/tamis-answers.mjs';
import type { Answer, Case, Suite } from '../../conformance/src/data.mjs';
import { tally, type Report } from '../../conformance/src/index.mjs';
import * as sources from '../../src/index.js';
import { lint } from '../../src/entries/lint.js';

/** To the compiler the classes of the sources are others than those of the package, which the drivers are written for. */
export const engine = { ...sources, lint } as unknown as Engine;

const program = tamisProgram('sources');

/** What the engine's sources answer to a case. */
export function answersOf({ schemas }: Pick<Suite, 'schemas'>): (asked: Case) => Answer {
  return createTamisAnswers(engine, schemas.structs);
}

/** Judges the engine's sources, or what stands in for them. */
export function reportOf(suite: Suite, answer: (asked: Case) => Answer = answersOf(suite)): Report {
  const answers = new Map(suite.cases.map((asked) => [asked.id, answer(asked)]));
  return tally(suite.cases, { program, answers, ended: null });
}
