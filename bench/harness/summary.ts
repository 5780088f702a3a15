import type { Measurement } from './filtering.js';
import { digits, printTable } from './report.js';
import { geometricMean } from './stats.js';

/** A figure to be reached: as small as the aim or smaller. */
interface Aim {
  readonly figure: string;
  /** Undefined where it was not measured. */
  readonly reached: number | undefined;
  readonly aim: number;
  readonly unit?: string;
}

/** Aims for the geometric mean over the cases, by competitor and variant. */
const meanAims: readonly (readonly [
  figure: string,
  competitor: string,
  aims: Readonly<Record<string, number>>,
])[] = [
  ['specialised', 'tamis', { 'mono-100k': 1.08, 'mono-hot': 1.15, 'poly-100k': 1.03, 'poly-hot': 1.05 }],
  ['closures alone', 'tamis-closures', { 'mono-100k': 1.9, 'mono-hot': 3, 'poly-100k': 1, 'poly-hot': 1.2 }],
  ['one-shot', 'tamis-once', { 'mono-hot': 2.5, 'poly-hot': 2.5 }],
  ['filter.test', 'tamis-test', { 'mono-100k': 1.2, 'mono-hot': 1.2, 'poly-100k': 1.2, 'poly-hot': 1.2 }],
];

/** By how much a peer may be ahead in one case. */
const maxLag = 1.05;

/** The results next to the targets, as far as measured, and the seed. */
export function printSummary(
  measurements: readonly Measurement[],
  figures: Readonly<Record<string, number>>,
  seed: number,
): string {
  const aims: Aim[] = [
    ...meanAims.flatMap(([figure, competitor, byVariant]) =>
      Object.entries(byVariant).map(([variant, aim]) => ({
        figure: `${figure}, ${variant}`,
        reached: meanOf(measurements, competitor, variant),
        aim,
      })),
    ),
    { figure: '1,000 live filters of 100 shapes', reached: figures['live 1000'], aim: 1.15 },
    { figure: 'parse + compile, new shape', reached: figures['compile new'], aim: 9, unit: 'us' },
    { figure: 'parse + compile, known shape', reached: figures['compile known'], aim: 6, unit: 'us' },
    { figure: '10,000 filters for one row', reached: figures['set 10000'], aim: 20, unit: 'us' },
    ...peerAims(measurements),
  ];
  const rows = aims.flatMap(({ figure, reached, aim, unit = '' }) =>
    reached === undefined
      ? []
      : [
          [
            figure,
            `${digits(reached)} ${unit}`.trim(),
            `${aim} ${unit}`.trim(),
            reached <= aim ? '' : 'missed',
          ],
        ],
  );
  if (rows.length === 0) return `Seed: ${seed}\n`;
  const details = printLag(measurements);
  return [
    '## Summary',
    '',
    printTable(['figure', 'reached', 'aim', ''], rows),
    '',
    ...(details === '' ? [] : [details, '']),
    `Seed: ${seed}\n`,
  ].join('\n');
}

function meanOf(
  measurements: readonly Measurement[],
  competitor: string,
  variant: string,
): number | undefined {
  const own = measurements.filter((one) => one.competitor === competitor && one.variant === variant);
  return own.length === 0 ? undefined : geometricMean(own.map(({ ratio }) => ratio));
}

/** The engine's ratio on a case and a peer's. */
interface Pair {
  readonly case: string;
  readonly variant: string;
  readonly peer: string;
  readonly own: number;
  readonly other: number;
}

function pairsOf(measurements: readonly Measurement[]): Pair[] {
  const isPeer = (name: string): boolean => !/^(?:tamis|hand-written)\b/.test(name);
  return measurements
    .filter(({ competitor }) => isPeer(competitor))
    .flatMap(({ case: id, variant, competitor: peer, ratio: other }) => {
      const own = measurements.find(
        (one) => one.competitor === 'tamis' && one.case === id && one.variant === variant,
      );
      return own === undefined ? [] : [{ case: id, variant, peer, own: own.ratio, other }];
    });
}

/** To the fastest peer: in the mean over the cases that it can express, in the worst variant; and in the worst case. */
function peerAims(measurements: readonly Measurement[]): Aim[] {
  const pairs = pairsOf(measurements);
  const means = meansOf(pairs).map(({ ratio }) => ratio);
  const cases = pairs.map(({ own, other }) => own / other);
  const max = (values: readonly number[]): number | undefined =>
    values.length === 0 ? undefined : Math.max(...values);
  return [
    { figure: 'to the best peer, mean of the worst variant', reached: max(means), aim: 1 },
    { figure: 'to the best peer, worst case', reached: max(cases), aim: maxLag },
  ];
}

function meansOf(pairs: readonly Pair[]): { peer: string; variant: string; ratio: number }[] {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = `${pair.peer} ${pair.variant}`;
    groups.set(key, [...(groups.get(key) ?? []), pair]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const ratio = geometricMean(group.map(({ own, other }) => own / other));
    return [{ peer: first.peer, variant: first.variant, ratio }];
  });
}

/** Where a peer is ahead by more than it may be. */
function printLag(measurements: readonly Measurement[]): string {
  const pairs = pairsOf(measurements);
  return [
    ...meansOf(pairs)
      .filter(({ ratio }) => ratio > 1)
      .map(({ peer, variant, ratio }) => `Behind ${peer} in the mean of ${variant}: ${digits(ratio)}`),
    ...pairs
      .filter(({ own, other }) => own / other > maxLag)
      .map((pair) => `Behind ${pair.peer} in ${pair.case} ${pair.variant}: ${digits(pair.own / pair.other)}`),
  ].join('\n');
}
