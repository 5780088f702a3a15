import { renderClause, type UnportableClause } from '../entries/portable.js';
import { paintFrame, type Palette } from './palette.js';

/** Describes, clause by clause, why an expression cannot be written at level 0. */
export function describeUnportable(
  source: string,
  clauses: readonly UnportableClause[],
  palette: Palette,
): string {
  return clauses
    .map(
      (clause) =>
        `${palette.error('not portable:')} ${clause.message}\n${paintFrame(renderClause(source, clause), palette)}\n`,
    )
    .join('');
}
