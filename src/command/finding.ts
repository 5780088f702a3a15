import { escapeControls } from '../language/diagnostics/snippet.js';
import { applySuggestion, renderFinding, type LintFinding } from '../entries/lint.js';
import { paintFrame, type Palette } from './palette.js';

/** Formats a finding for people: its message and frame, and the corrected expression if there is one. */
export function describeFinding(source: string, finding: LintFinding, palette: Palette): string {
  const [suggestion] = finding.suggestions;
  const meant =
    suggestion === undefined
      ? ''
      : `  ${palette.good('did you mean:')} ${escapeControls(applySuggestion(source, suggestion))}\n`;
  const frame = paintFrame(renderFinding(source, finding), palette);
  return `${palette.strong('warning:')} ${escapeControls(finding.message)}\n${frame}\n${meant}`;
}
