// Shows that the suite finds mistakes: changes a copy of the engine, one place at a time, and puts the suite to it. Reads the changes
// of conformance/mutations.json and writes there what became of each, and which of them breaks which sentence of the page.
//
//   npm run proof:conformance                             all of them; minutes
//   npm run proof:conformance -- --new                    those missing from the table
//   npm run proof:conformance -- --new --propose 20 --seed 7    and some that are drawn; those that survive are printed and not kept
//   npm run proof:conformance -- --workers 4              as many at a time
//   npm run proof:conformance -- --only m017 --json       one of them; the table stays as it is
//
// Exits with 1 where a change survives that the table does not explain, or where its text is not in its file any more.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSuite } from '../../../conformance/src/index.mjs';
import { drawChanges } from './draw.js';
import { fits, SuiteRunner } from './run-suite.js';
import { sampleOf } from './sample.js';
import { assignSentences, readTable, writeTable, type Mutation, type Outcome } from './table.js';

const { values: given } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    new: { type: 'boolean', default: false },
    propose: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
    json: { type: 'boolean', default: false },
  },
});
const suite = readSuite();
const sample = sampleOf(suite);
const table = readTable();
const known = table.mutations.filter(
  ({ id, killed, why }) =>
    (given.only === undefined || given.only.includes(id)) &&
    (!given.new || (killed === undefined && why === undefined)),
);
const last = Math.max(0, ...table.mutations.map(({ id }) => Number(id.slice(1))));
const drawn = drawChanges(Number(given.seed), Number(given.propose), table.mutations).map(
  (change, index): Mutation => ({ id: `m${String(last + index + 1).padStart(3, '0')}`, ...change }),
);
const queue = [...known, ...drawn];
const total = queue.length;
const outcomes = new Map<string, Outcome>();
const results = new Map<string, Mutation>();
const lost: string[] = [];

const position = mkdtempSync(join(tmpdir(), 'tamis-mutations-'));
try {
  await Promise.all(Array.from({ length: Number(given.workers) }, (_, index) => work(String(index))));
} finally {
  rmSync(position, { recursive: true, force: true });
}
report(total);

const reported = table.mutations.map((each) => results.get(each.id) ?? each);
const requests = [...known, ...drawn].flatMap(({ id }) => results.get(id) ?? []);
const survivors = requests.filter(({ killed, why }) => killed === undefined && why === undefined);
const fresh = drawn.flatMap(({ id }) => results.get(id) ?? []).filter((each) => each.killed !== undefined);
const mutations = [...reported, ...fresh];
const killed = mutations.filter((each) => each.killed !== undefined).length;
if (given.only === undefined) {
  const names = suite.sentences.map(({ id }) => id);
  const cached = Object.entries(table.sentences).filter(([, [id]]) => given.new && !results.has(id));
  const found = { ...assignSentences([...outcomes.values()], names), ...Object.fromEntries(cached) };
  const sentences = names.flatMap((name) => {
    const each = found[name];
    return each === undefined ? [] : [[name, each] as const];
  });
  writeTable({ mutations, sentences: Object.fromEntries(sentences) });
}
if (given.json)
  process.stdout.write(`${JSON.stringify({ killed, of: mutations.length, survivors, lost })}\n`);
else {
  for (const each of lost) process.stdout.write(`${each}\n`);
  for (const { id, file, find, replace } of survivors)
    process.stdout.write(`${id} survives: ${file}\n- ${find}\n+ ${replace}\n`);
  process.stdout.write(`${killed} of ${mutations.length} killed\n`);
}
process.exitCode = survivors.length === 0 && lost.length === 0 ? 0 : 1;

async function work(name: string): Promise<void> {
  const folder = join(position, name);
  mkdirSync(folder);
  const runner = new SuiteRunner(suite.schemas, folder);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (fits(next)) await put(next, runner);
    else lost.push(`${next.id}: its text is not in ${next.file}, once`);
    report(results.size);
  }
  await runner.close();
}

/** Runs some cases of each sentence, and all of them if those detect nothing. */
async function put(mutation: Mutation, runner: SuiteRunner): Promise<void> {
  const { id, file, find, replace, why, whole } = mutation;
  let requests = whole === true ? suite.cases : sample;
  let run = await runner.run(mutation, requests);
  if (run.end === 'done' && run.failed.length === 0 && requests === sample) {
    requests = suite.cases;
    run = await runner.run(mutation, requests);
  }
  const { failed, end } = run;
  if (end === 'unloadable') {
    lost.push(`${id}: the engine cannot be loaded with it`);
    return;
  }
  const change = { id, file, find, replace, ...(whole === true ? { whole } : {}) };
  if (failed.length === 0) {
    results.set(id, { ...change, ...(why === undefined ? {} : { why }) });
    return;
  }
  // After a hang the remaining cases have not run.
  if (end === 'done') outcomes.set(id, { id, failed, requests: requests.length });
  const by = failed.slice(0, 3).map((each) => each.id);
  results.set(id, { ...change, killed: failed.length, by, ...(end === 'hung' ? { end } : {}) });
}

function report(done: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(done < total ? `\r\u001b[K${done} of ${total}` : '\r\u001b[K');
  else if (done % 10 === 0) process.stderr.write(`${done} of ${total}\n`);
}
