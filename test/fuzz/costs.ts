// Looks for the row, or the text, that costs most within the limits. See `--help`. It is bundled and not run by a loader,
// because loaders change the code that is measured.
import { parseArgs } from 'node:util';
import { installDefaults } from '../../src/entries/node-defaults.js';
import { diagnostics } from '../../src/entries/editor.js';
import { createFilterSet } from '../../src/entries/filter-set.js';
import { check, compileFilter, FilterError, parse, planFilter, type Filter } from '../../src/index.js';
import { lint } from '../../src/entries/lint.js';
import { portable } from '../../src/entries/portable.js';
import { costlySchema } from './costly-row.js';
import { costlyText, wideSchema } from './costly-text.js';
import { costlyTrial, outcomeOf } from './costly.js';
import { pricedOperations } from './price-list.js';
import { createRandom } from './random.js';

const help = `Makes filters that cost as much as the limits allow, tries each on a row made for it, and tells the worst.

usage: npm run costs -- [--runs N] [--seed S] [--worst N]
       npm run costs -- --prices [--only TEXT] [--worst N]
       npm run costs -- --compile [--runs N] [--seed S] [--only TEXT] [--worst N]

A long search tells how far it is and what was worst so far, on standard error. Times are the lesser of time and time of
the processor, because other programs lengthen the one, and the engine's own compiler the other. What other programs make
slower nevertheless is taken out: a loop that takes REFERENCE ms on the machine of the README's figures is timed in between,
and all times are told as they would be there.

  --runs N   how many filters (default 10000)
  --seed S   the seed of the first one (default 1); trial k has the seed S + k
  --worst N  how many of the most expensive are told (default 5)
  --prices   no random filters: each operation by itself, asked until the row can pay for no more;
             with --only, those whose name or filter has the text in it
  --compile  no rows: what texts made to be dear take to be parsed, and beyond that to be compiled, checked, planned,
             linted, diagnosed and written at level 0; the worst of each family and operation are told, with --only
             those of families with the text in their names. A text that is dear is tried thrice, the least counts
`;

installDefaults();

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '5' },
    prices: { type: 'boolean', default: false },
    only: { type: 'string' },
    compile: { type: 'boolean', default: false },
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
  const evaluate = (): void => {
    outcome = outcomeOf(trial);
  };
  const what = (row: string): string =>
    `seed ${seed}, ${row} row, ${outcome}: ${trial.text.length} characters, ${trial.text.slice(0, 90)}`;
  return ['first', 'second'].map((row) => ({ milliseconds: timeThere(evaluate), what: what(row) }));
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

/** What is done with a text before the first row. */
const operations: Readonly<Record<string, (text: string) => unknown>> = {
  compile: (text) => compileFilter(text, { schema: wideSchema }),
  'compile without a schema': (text) => compileFilter(text),
  check: (text) => check(text, { schema: wideSchema }),
  plan: (text) => planFilter(text, { schema: wideSchema, indexes: [] }),
  'add to a set': (text) => {
    createFilterSet(wideSchema).add('id', text);
  },
  lint: (text) => lint(text, { schema: wideSchema }),
  'lint without a schema': (text) => lint(text),
  diagnostics: (text) => JSON.stringify(diagnostics(text, { schema: wideSchema, portable: true })),
  portable: (text) => portable(text, { schema: wideSchema }),
};

/** Texts that warm the engine up. */
const warming = 100;

/** The least of three times where the first is long: what else the machine does is no cost of the text. */
function timeText(act: (text: string) => unknown, text: string): { milliseconds: number; outcome: string } {
  let outcome = '';
  const evaluate = (): void => {
    try {
      act(text);
      outcome = 'done';
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      outcome = error.code;
      // A reporter reads it.
      void error.hint;
    }
  };
  const first = time(evaluate);
  const milliseconds = first < 10 ? first : Math.min(first, time(evaluate), time(evaluate));
  return { milliseconds, outcome };
}

/** The worst of each family and operation. */
function measureTexts(): Iterable<Measured> {
  const worst = new Map<string, Measured>();
  const first = Number(values.seed);
  const runs = Number(values.runs);
  for (let seed = first - warming; seed < first + runs; seed += 1) {
    const { family, text } = costlyText(createRandom(seed));
    if (!family.includes(values.only ?? '')) continue;
    const before = calibrate();
    const parsing = timeText(parse, text);
    const times = Object.entries(operations).map(([name, act]) => ({ name, ...timeText(act, text) }));
    const scale = (reference * 2) / (before + calibrate());
    const note = (name: string, milliseconds: number, outcome: string): void => {
      const key = `${family}, ${name}`;
      if (seed < first || milliseconds <= (worst.get(key)?.milliseconds ?? 0)) return;
      const what = `${key}: seed ${seed}, ${outcome}, ${text.length} characters, ${text.slice(0, 90)}`;
      worst.set(key, { milliseconds, what });
    };
    note('parse', parsing.milliseconds * scale, parsing.outcome);
    for (const { name, milliseconds, outcome } of times)
      note(name, (milliseconds - parsing.milliseconds) * scale, outcome);
    if ((seed - first) % progressEvery === progressEvery - 1)
      process.stderr.write(
        `${seed - first + 1} texts, worst ${[...worst.values()].reduce((a, b) => (b.milliseconds > a.milliseconds ? b : a)).what}\n`,
      );
  }
  return worst.values();
}

function reportWorst(all: Iterable<Measured>): void {
  const worst: Measured[] = [];
  let tried = 0;
  for (const each of all) {
    worst.push(each);
    worst.sort((a, b) => b.milliseconds - a.milliseconds).splice(Number(values.worst));
    tried += 1;
    const [max] = worst;
    if (tried % (2 * progressEvery) === 0 && max !== undefined)
      process.stderr.write(`${tried} rows, worst ${max.milliseconds.toFixed(1)} ms, ${max.what}\n`);
  }
  for (const { milliseconds, what } of worst)
    process.stdout.write(`${milliseconds.toFixed(1)} ms  ${JSON.stringify(what)}\n`);
}

if (values.help === true) process.stdout.write(help.replace('REFERENCE', String(reference)));
else {
  for (let round = 0; round < 10; round += 1) calibrate();
  if (values.compile) reportWorst(measureTexts());
  else reportWorst(values.prices ? measurePrices() : measureTrials());
}
