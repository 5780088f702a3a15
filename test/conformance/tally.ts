import { createEngine, createEvaluationJudge, judgeParse, type Verdict } from './judge.js';
import type { EvaluationVector, ParseVector, Vectors } from './vector.js';

/** One vector on which we and go-bexpr disagree. */
export interface Disagreement {
  readonly id: string;
  readonly family: string;
  readonly expr: string;
  readonly datum: string | null;
  readonly expected: string;
  readonly got: string;
}

export interface Tally {
  readonly passed: number;
  /** How many vectors were skipped, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  readonly disagreements: readonly Disagreement[];
}

/** The three files of vectors. */
export const sections = ['parse', 'untyped', 'typed'] as const;
export type Section = (typeof sections)[number];

/** Judges the vectors of one file that `wanted` names by id or family; all when it is empty. */
export function tally(vectors: Vectors, section: Section, wanted: readonly string[] = []): Tally {
  const isWanted = ({ id, family }: ParseVector | EvaluationVector): boolean =>
    wanted.length === 0 || wanted.includes(id) || wanted.includes(family);
  if (section === 'parse') return count(vectors.parse.filter(isWanted), judgeParse);
  return count(vectors[section].filter(isWanted), createEvaluationJudge(vectors, createEngine(vectors)));
}

/** Counts the verdicts of a judge. */
export function count<T extends ParseVector | EvaluationVector>(
  vectors: readonly T[],
  judge: (vector: T) => Verdict,
): Tally {
  let passed = 0;
  const skipped = new Map<string, number>();
  const disagreements: Disagreement[] = [];
  for (const vector of vectors) {
    const verdict = judge(vector);
    if (verdict.kind === 'passed') passed += 1;
    else if (verdict.kind === 'skipped') skipped.set(verdict.reason, (skipped.get(verdict.reason) ?? 0) + 1);
    else {
      const { id, family, expr } = vector;
      const datum = 'datum' in vector ? vector.datum : null;
      disagreements.push({ id, family, expr, datum, expected: verdict.expected, got: verdict.got });
    }
  }
  return { passed, skipped, disagreements };
}

/** A disagreement on one line. */
export function showDisagreement({ id, family, expr, datum, expected, got }: Disagreement): string {
  const on = datum === null ? '' : ` on ${datum}`;
  return `${id} (${family}) ${JSON.stringify(expr)}${on}: expected ${expected}, got ${got}`;
}
