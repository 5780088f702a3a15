import { parseArgs } from 'node:util';
import { clusterCases } from './cases.js';
import type { ClusterCase, Extent } from './stage.js';

export interface ClusterArguments {
  readonly help: boolean;
  readonly json: boolean;
  readonly chosen: readonly ClusterCase[];
  readonly extent: Extent;
}

const defaults: Extent = {
  kills: 3,
  operations: 10_000,
  reads: 5_000,
  rows: 50_000,
  rateTime: 2_000,
  freezeTime: 15_000,
};

const quick: Extent = {
  kills: 2,
  operations: 2_000,
  reads: 1_000,
  rows: 5_000,
  rateTime: 1_000,
  freezeTime: 6_000,
};

export const clusterHelp = `Several servers on one etcd as real processes, which are killed, frozen and cut off while clients read and write:
  npm run proof:cluster -w servers/scheduler -- [flags]

  --only NUMBERS      only these cases, such as 3,4 or 18-20
  --quick             everything, with little of each
  --kills N           kills of each kind of fault (${defaults.kills})
  --operations N      operations of the history that is checked (${defaults.operations})
  --reads N           reads after a write that are checked for stale responses (${defaults.reads})
  --rows N            rows that a server loads when it starts (${defaults.rows})
  --json              the outcome as JSON

A few minutes; a night is for --kills 100 --operations 100000 --reads 100000 --rows 1000000.

Ends with code 1 where something is not as it should be. A figure that is not as good as asked for is marked with !, and
is no mistake: it depends on the machine, whose noise is told with each case. Needs etcd and etcdctl (Debian packages
etcd-server and etcd-client).

Cases
${clusterCases.map(({ number, name }) => `  ${String(number).padStart(2)}  ${name}`).join('\n')}
`;

/** @throws RangeError or TypeError for arguments that cannot be used. */
export function readClusterArguments(argv: readonly string[]): ClusterArguments {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...{ help: flag, json: flag, quick: flag, only: text },
      ...{ kills: text, operations: text, reads: text, rows: text },
    },
  });
  const base = values.quick ? quick : defaults;
  const { kills, operations, reads, rows } = values;
  return {
    help: values.help,
    json: values.json,
    chosen: values.only === undefined ? clusterCases : chosenCases(values.only),
    extent: {
      ...base,
      kills: readCount('--kills', kills, base.kills),
      operations: readCount('--operations', operations, base.operations),
      reads: readCount('--reads', reads, base.reads),
      rows: readCount('--rows', rows, base.rows),
    },
  };
}

function readCount(name: string, given: string | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  const count = Number(given);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError(`${name} must be a whole number from 1`);
  return count;
}

function chosenCases(only: string): readonly ClusterCase[] {
  return only.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
    const chosen = clusterCases.filter(({ number }) => number >= Number(first) && number <= Number(last));
    if (chosen.length > 0) return chosen;
    const known = clusterCases.map(({ number }) => number).join(', ');
    throw new RangeError(`--only: there is no case "${part}". There are ${known}`);
  });
}
