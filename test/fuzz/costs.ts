// Looks for the row that costs most among filters within the limits. See `--help`. It is bundled and not run by a loader,
// because loaders change the code that is measured.
import { parseArgs } from 'node:util';
import { equip } from '../../src/equip.js';
import { compileFilter, type Filter } from '../../src/index.js';
import { costlySchema } from './costly-row.js';
import { costlyTrial, outcomeOf } from './costly.js';
import { pricedOperations } from './price-list.js';

const help = `Makes filters that cost as much as the limits allow, tries each on a row made for it, and tells the worst.

usage: npm run costs -- [--runs N] [--seed S] [--worst N]
       npm run costs -- --prices [--only TEXT] [--worst N]

A long search tells how far it is and what was worst so far, on standard error. Times are the lesser of time and time of
the processor, because other programs lengthen the one, and the engine's own compiler the other. What other programs make
slower nevertheless is taken out: a loop that takes REFERENCE ms on the machine of the README's figures is timed in between,
and all times are told as they would be there.

  --runs N   how many filters (default 10000)
  --seed S   the seed of the first one (default 1); trial k has the seed S + k
  --worst N  how many of the most expensive are told (default 5)
  --prices   no random filters: each operation by itself, asked until the row can pay for no more;
             with --only, those whose name or filter has the text in it
`;

equip();

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '5' },
    prices: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const progressEvery = 1_000;

/** What {@link calibrate} takes on the machine of the README's figures, in milliseconds. */
const reference = 4.4;

interface Measured {
  readonly what: string;
  readonly milliseconds: number;
}

/** The milliseconds that some work takes: see the help. */
function time(work: () => void): number {
  const began = performance.now();
  const used = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(used);
  return Math.min(performance.now() - began, (user + system) / 1_000);
}

const letters = 'abcdefghij'.repeat(1_000);
let sum = 0;

/** Milliseconds for two million steps of a loop over a text. */
function calibrate(): number {
  return time(() => {
    for (let round = 0; round < 200; round += 1) {
      for (let at = 0; at < letters.length; at += 1) sum = (sum * 31 + letters.charCodeAt(at)) | 0;
    }
  });
}

/** As {@link time}, on the machine of the README's figures. */
function timeThere(work: () => void): number {
  const before = calibrate();
  const here = time(work);
  return (here * reference * 2) / (before + calibrate());
}

function measureTrial(seed: number): Measured[] {
  const trial = costlyTrial(seed);
  if (trial.filter === null) return [];
  let outcome = '';
  const ask = (): void => {
    outcome = outcomeOf(trial);
  };
  const what = (row: string): string =>
    `seed ${seed}, ${row} row, ${outcome}: ${trial.text.length} characters, ${trial.text.slice(0, 90)}`;
  return ['first', 'second'].map((row) => ({ milliseconds: timeThere(ask), what: what(row) }));
}

function* measureTrials(): Iterable<Measured> {
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.runs); seed += 1) yield* measureTrial(seed);
}

/** Each when it is warm: the cold run of each operation would be mostly the engine's compiler. */
function* measurePrices(): Iterable<Measured> {
  const only = values.only ?? '';
  for (const { name, source, row } of pricedOperations().filter((each) =>
    `${each.name} ${each.source}`.includes(only),
  )) {
    const filter: Filter = compileFilter<unknown>(source, { schema: costlySchema });
    const trial = { filter, row, text: source };
    let outcome = '';
    const runs = Array.from({ length: 5 }, () =>
      timeThere(() => {
        outcome = outcomeOf(trial);
      }),
    );
    const [, , median = 0] = runs.sort((a, b) => a - b);
    yield { milliseconds: median, what: `${outcome}: ${name}, ${source.slice(0, 90)}` };
  }
}

function tellWorst(all: Iterable<Measured>): void {
  const worst: Measured[] = [];
  let tried = 0;
  for (const each of all) {
    worst.push(each);
    worst.sort((a, b) => b.milliseconds - a.milliseconds).splice(Number(values.worst));
    tried += 1;
    const [most] = worst;
    if (tried % (2 * progressEvery) === 0 && most !== undefined)
      process.stderr.write(`${tried} rows, worst ${most.milliseconds.toFixed(1)} ms, ${most.what}\n`);
  }
  for (const { milliseconds, what } of worst)
    process.stdout.write(`${milliseconds.toFixed(1)} ms  ${JSON.stringify(what)}\n`);
}

if (values.help === true) process.stdout.write(help.replace('REFERENCE', String(reference)));
else {
  for (let round = 0; round < 10; round += 1) calibrate();
  tellWorst(values.prices ? measurePrices() : measureTrials());
}
