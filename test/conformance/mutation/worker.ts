/** Puts cases to the engine that it is bundled with, and marks in memory that it shares which of them fail. */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { tamisProgram } from '../../../conformance/drivers/tamis-answers.mjs';
import { judge } from '../../../conformance/src/judge.mjs';
import { resultsOf } from '../engine.js';
import { failed, passed, type TestQueries, type SuiteJob } from './suite-job.js';

const { queries, state, verdicts } = workerData as SuiteJob;
const { cases, schemas } = JSON.parse(readFileSync(queries, 'utf8')) as TestQueries;
const program = tamisProgram('changed');
const result = resultsOf({ schemas });

for (const [index, requests] of cases.entries()) {
  Atomics.store(state, 0, index);
  verdicts[index] = judge(requests, result(requests), program).kind === 'failed' ? failed : passed;
}
Atomics.store(state, 0, cases.length);
