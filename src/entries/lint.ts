export { lint, type LintOptions } from '../tools/lint/lint.js';
export { renderFinding, type LintCode, type LintFinding } from '../tools/lint/finding.js';
export { applySuggestion, correct, type Correction, type CorrectOptions } from '../tools/lint/apply-fixes.js';
