import { renderClause, type UnportableClause } from '../entries/portable.js';
import { paintFrame, type Palette } from './palette.js';

/** Why an expression cannot be written at level 0, clause by clause, for people. */
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
