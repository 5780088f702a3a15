import { isReference, type Gap } from './entrants.js';
import type { Measurement } from './filtering.js';
import { digits, percent, printTable } from './report.js';
import { geometricMean, median } from './stats.js';

/** A line of the JSON output. */
export interface JsonResult {
  readonly case: string;
  readonly variant: string;
  readonly competitor: string;
  /** Nanoseconds for each row of the list. */
  readonly ns: number;
  /** To what was written by hand. */
  readonly ratio: number;
  readonly seed: number;
}

export function toJson(measurements: readonly Measurement[], seed: number): JsonResult[] {
  return measurements.map(({ case: id, variant, competitor, ns, ratio }) => ({
    case: id,
    variant,
    competitor,
    ns: Number(ns.toPrecision(4)),
    ratio: Number(ratio.toPrecision(4)),
    seed,
  }));
}

/** The ratios of one variant: a line for each competitor, a column for each case. */
export function printVariant(variant: string, measurements: readonly Measurement[]): string {
  const own = measurements.filter((measurement) => measurement.variant === variant);
  const cases = distinct(own.map((measurement) => measurement.case));
  const rows = distinct(own.map(({ competitor }) => competitor)).map((competitor) => {
    const lookup = new Map(own.filter((one) => one.competitor === competitor).map((one) => [one.case, one]));
    const cells = cases.map((id) => printCell(lookup.get(id), competitor));
    return [competitor, ...cells, isReference(competitor) ? '' : printMean([...lookup.values()])];
  });
  return `## ${variant}\n\n${printTable(['ratio ±spread', ...cases, 'mean'], rows)}\n`;
}

/** The hand-written loops show what they take, the others how many times as much. */
function printCell(measurement: Measurement | undefined, competitor: string): string {
  if (measurement === undefined) return '-';
  if (isReference(competitor)) return `${digits(measurement.ns)} ns`;
  return `${digits(measurement.ratio)} ±${percent(measurement.spread)}`;
}

function printMean(measurements: readonly Measurement[]): string {
  return measurements.length === 0 ? '-' : digits(geometricMean(measurements.map(({ ratio }) => ratio)));
}

/**
 * The geometric means: a line for each competitor, a column for each variant. A mean over some of the cases says little by
 * itself, so the first competitor's mean over the same cases is next to it.
 */
export function printMeans(measurements: readonly Measurement[]): string {
  const variants = distinct(measurements.map(({ variant }) => variant));
  const competitors = distinct(measurements.map(({ competitor }) => competitor)).filter(
    (name) => !isReference(name),
  );
  const [first = ''] = competitors;
  const caseCount = distinct(measurements.map((measurement) => measurement.case)).length;
  const rows = competitors.map((competitor) => {
    const own = measurements.filter((measurement) => measurement.competitor === competitor);
    const expressed = distinct(own.map((measurement) => measurement.case));
    const cells = variants.map((variant) => {
      const mean = printMean(own.filter((measurement) => measurement.variant === variant));
      if (expressed.length === caseCount) return mean;
      const same = measurements.filter(
        (one) => one.variant === variant && one.competitor === first && expressed.includes(one.case),
      );
      return `${mean} (${printMean(same)})`;
    });
    return [competitor, `${expressed.length}/${caseCount}`, ...cells];
  });
  const table = printTable(['geometric mean', 'cases', ...variants], rows);
  return `## Geometric means of the ratios to the hand-written loops\n\n${table}\n\nIn brackets: ${first} on the same cases.\n`;
}

/** Which competitor cannot express which case, and why. */
export function printGaps(gaps: readonly Gap[]): string {
  const reasons = new Map<string, string[]>();
  for (const { case: id, competitor, reason } of gaps) {
    const line = `${competitor}: ${reason}`;
    const ids = reasons.get(line) ?? [];
    if (!ids.includes(id)) reasons.set(line, [...ids, id]);
  }
  if (reasons.size === 0) return '';
  return ['Not expressed:', ...[...reasons].map(([line, ids]) => `  ${ids.join(', ')} ${line}`), ''].join(
    '\n',
  );
}

/** The case with the largest lag of a competitor relative to the hand-written loops. */
export function printSlowest(measurements: readonly Measurement[], competitor: string): string {
  const own = measurements.filter((measurement) => measurement.competitor === competitor);
  const cases = distinct(own.map((measurement) => measurement.case));
  const ranked = cases
    .map((id) => ({ id, ratio: median(own.filter((one) => one.case === id).map(({ ratio }) => ratio)) }))
    .sort((left, right) => right.ratio - left.ratio)
    .slice(0, 3);
  if (ranked.length === 0) return '';
  return `${competitor} is slowest on ${ranked.map(({ id, ratio }) => `${id} (${digits(ratio)})`).join(', ')}.\n`;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
