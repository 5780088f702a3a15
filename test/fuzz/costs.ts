// Looks for the row that costs most among filters within the limits. See `--help`. It is bundled and not run by a loader,
// because loaders change the code that is measured.
import { parseArgs } from 'node:util';
import { costlyTrial, outcomeOf } from './costly.js';

const help = `Makes filters that cost as much as the limits allow, tries each on a row made for it, and tells the worst.

usage: npm run costs -- [--runs N] [--seed S] [--worst N]

A long search tells how far it is and what was worst so far, on standard error.

  --runs N   how many filters (default 10000)
  --seed S   the seed of the first one (default 1); trial k has the seed S + k
  --worst N  how many of the most expensive are told (default 5)
`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});

const progressEvery = 1_000;

interface Measured {
  readonly seed: number;
  readonly milliseconds: number;
  readonly what: string;
}

/** Time of the processor, which other programs do not lengthen, in milliseconds. */
function cpu(): number {
  return process.cpuUsage().user / 1_000;
}

function measure(seed: number): Measured[] {
  const began = cpu();
  const trial = costlyTrial(seed);
  const made = cpu();
  if (trial.filter === null) return [];
  const outcome = outcomeOf(trial);
  const first = cpu();
  outcomeOf(trial);
  const second = cpu();
  const what = `${outcome}: ${trial.text.length} characters, ${trial.text.slice(0, 90)}`;
  return [
    { seed, milliseconds: first - made, what: `first row, ${what}` },
    { seed, milliseconds: second - first, what: `second row, ${what}` },
    { seed, milliseconds: made - began, what: `making filter and row, ${what}` },
  ];
}

if (values.help === true) process.stdout.write(help);
else {
  const worst: Measured[] = [];
  const first = Number(values.seed);
  const end = first + Number(values.runs);
  for (let seed = first; seed < end; seed += 1) {
    worst.push(...measure(seed).filter(({ what }) => !what.startsWith('making')));
    worst.sort((a, b) => b.milliseconds - a.milliseconds).splice(Number(values.worst));
    const tried = seed + 1 - first;
    if (tried % progressEvery === 0) {
      const [most] = worst;
      const soFar = most === undefined ? 'none' : `${most.milliseconds.toFixed(1)} ms, seed ${most.seed}`;
      process.stderr.write(`${tried} of ${end - first}, worst ${soFar}\n`);
    }
  }
  for (const { seed, milliseconds, what } of worst) {
    process.stdout.write(`${milliseconds.toFixed(1)} ms  seed ${seed}  ${JSON.stringify(what)}\n`);
  }
}
