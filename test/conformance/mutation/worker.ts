/** Puts cases to the engine that it is bundled with, and marks in memory that it shares which of them fail. */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { tamisProgram } from '../../../conformance/drivers/tamis-answers.mjs';
import { judge } from '../../../conformance/src/judge.mjs';
import { answersOf } from '../engine.js';
import { failed, passed, type Questions, type SuiteJob } from './suite-job.js';

const { questions, state, verdicts } = workerData as SuiteJob;
const { cases, schemas } = JSON.parse(readFileSync(questions, 'utf8')) as Questions;
const program = tamisProgram('changed');
const answer = answersOf({ schemas });

for (const [index, asked] of cases.entries()) {
  Atomics.store(state, 0, index);
  verdicts[index] = judge(asked, answer(asked), program).kind === 'failed' ? failed : passed;
}
Atomics.store(state, 0, cases.length);
