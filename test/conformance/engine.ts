import { createTamisAnswers, tamisProgram, type Engine } from '../../conformance/drivers/tamis-answers.mjs';
import type { Answer, Case, Suite } from '../../conformance/src/data.mjs';
import { tally, type Report } from '../../conformance/src/index.mjs';
import * as sources from '../../src/index.js';
import { lint } from '../../src/entries/lint.js';

/** To the compiler the classes of the sources are others than those of the package, which the drivers are written for. */
export const engine = { ...sources, lint } as unknown as Engine;

const program = tamisProgram('sources');

/** The result of the engine's sources for a case. */
export function resultsOf({ schemas }: Pick<Suite, 'schemas'>): (requests: Case) => Answer {
  return createTamisAnswers(engine, schemas.structs);
}

/** Judges the engine's sources, or a replacement. */
export function reportOf(suite: Suite, result: (requests: Case) => Answer = resultsOf(suite)): Report {
  const results = new Map(suite.cases.map((requests) => [requests.id, result(requests)]));
  return tally(suite.cases, { program, answers: results, ended: null });
}
