import { caseOf } from '../cases/cases.js';
import { runningRow as row } from '../cases/compiled.js';
import { loadCompetitor } from '../competitors/competitors.js';

/*
 * The program of the `start` scenario: loads the competitor that its argument names, compiles a filter, evaluates it on one row,
 * and prints how many milliseconds that took. The harness around it is loaded before the clock starts.
 */

const name = process.argv[2] ?? 'tamis';
const { condition, kind } = caseOf('E2');

const start = performance.now();
const competitor = await loadCompetitor(name);
const select = competitor.write({ condition, kind }).compile();
const found = await select([row]);
const elapsed = performance.now() - start;

if (found.length !== 1 || found[0] !== row) throw new Error(`${name} did not find the row`);
process.stdout.write(`${elapsed}\n`);
