import { datacenters, rareStatus, teams, type Varied } from './large-cluster.js';

/** A filter over the jobs of a large cluster that no index can serve, and an equivalent predicate. */
export interface DrawnFilter {
  readonly text: string;
  readonly test: (job: Varied) => boolean;
}

export type Random = () => number;

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a filter of one to three clauses that matches a share of these jobs between two bounds. Each call returns a different
 * source, though its clauses may have been used before.
 */
export function drawFilter(
  random: Random,
  jobs: readonly Varied[],
  [min, max]: readonly [number, number],
): DrawnFilter {
  for (;;) {
    const clauses = Array.from({ length: 1 + Math.floor(random() * 3) }, () => drawClause(random));
    const isAll = clauses.length === 1 || random() < 0.6;
    const drawn = {
      text: clauses.map(({ text }) => text).join(isAll ? ' and ' : ' or '),
      test: (job: Varied) =>
        isAll ? clauses.every(({ test }) => test(job)) : clauses.some(({ test }) => test(job)),
    };
    const share = jobs.filter(drawn.test).length / jobs.length;
    if (share >= min && share <= max) return drawn;
  }
}

/** Conditions that indexes could serve are written in reverse. */
function drawClause(random: Random): DrawnFilter {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const number = Math.floor(random() * 60) + 35;
  const [team, other, datacenter] = [pick(teams), pick(teams), pick(datacenters)];
  const status = pick(['pending', 'running', rareStatus]);
  /** A value that no job has: the clause differs from all previous ones. */
  const nobody = Math.floor(random() * 2 ** 31).toString(36);
  return pick<DrawnFilter>([
    { text: `Meta.owner == "${team}"`, test: ({ owner }) => owner === team },
    {
      text: `Meta.owner in ["${team}", "${other}", "${nobody}"]`,
      test: ({ owner }) => owner === team || owner === other,
    },
    { text: `Meta.owner not in ["${team}", "${nobody}"]`, test: ({ owner }) => owner !== team },
    { text: `not (Priority < ${number})`, test: ({ Priority }) => Priority >= number },
    { text: `Priority != ${number}`, test: ({ Priority }) => Priority !== number },
    { text: `not (Type != "batch")`, test: ({ Type }) => Type === 'batch' },
    { text: `not (Status != "${status}")`, test: ({ Status }) => Status === status },
    { text: `not (Status in ["${status}", "${nobody}"])`, test: ({ Status }) => Status !== status },
    { text: `not ("${datacenter}" not in Datacenters)`, test: (job) => job.datacenter === datacenter },
    {
      text: `any Datacenters as d { d != "${datacenter}" and d != "${nobody}" }`,
      test: (job) => job.datacenter !== datacenter,
    },
  ]);
}
