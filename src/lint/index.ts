export { lint, type LintOptions } from './lint.js';
export { renderFinding, type LintCode, type LintFinding } from './finding.js';
export { applySuggestion, correct, type Correction, type CorrectOptions } from './apply-fixes.js';
