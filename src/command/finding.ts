import { escapeControls } from '../language/diagnostics/snippet.js';
import { applySuggestion, renderFinding, type LintFinding } from '../entries/lint.js';
import type { Io } from './io.js';
import { paintFrame, paletteFor, type Palette } from './palette.js';
import { renderClause, type UnportableClause } from '../entries/portable.js';

/** Formats a finding: its message and frame, and the corrected expression if there is one. */
export function describeFinding(source: string, finding: LintFinding, palette: Palette): string {
  const [suggestion] = finding.suggestions;
  const meant =
    suggestion === undefined
      ? ''
      : `  ${palette.good('did you mean:')} ${escapeControls(applySuggestion(source, suggestion))}\n`;
  const frame = paintFrame(renderFinding(source, finding), palette);
  return `${palette.strong('warning:')} ${escapeControls(finding.message)}\n${frame}\n${meant}`;
}

/** Maximum number of findings shown individually. `--json` shows all. */
const maxReported = 10;

/** Writes findings to standard error, except those about portability, which are reported elsewhere. */
export async function warn(source: string, findings: readonly LintFinding[], io: Io): Promise<void> {
  const palette = paletteFor(io.stderr, io.env);
  const reported = findings.filter(({ code }) => code !== 'not-portable');
  for (const finding of reported.slice(0, maxReported)) {
    await io.stderr.write(describeFinding(source, finding, palette));
  }
  if (reported.length > maxReported)
    await io.stderr.write(`and ${reported.length - maxReported} more warnings\n`);
}

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
