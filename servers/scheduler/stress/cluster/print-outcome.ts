import { printMetrics } from '../../../http/stress/proof.js';
import type { CaseOutcome } from './run-cases.js';
import type { RequestedFigure } from './stage.js';

/** Formats a case as lines: its figures and its errors. */
export function printOutcome({ number, name, figures, mistakes, time }: CaseOutcome): string {
  const isWell = mistakes.length === 0;
  const lines = printMetrics(
    figures.map((figure) => ({ ...figure, unit: `${figure.unit}${requestsOf(figure)}` })),
  );
  return [
    `${isWell ? 'ok   ' : 'WRONG'} ${number} ${name} (${time.toFixed(1)} s)\n`,
    lines.replace(/^/gm, '      ').trimEnd(),
    '\n',
    ...mistakes.map((mistake) => `      Not so: ${mistake}\n`),
  ].join('');
}

/** The bound of a figure, if it is exceeded. */
function requestsOf({ value, max, min }: RequestedFigure): string {
  if (max !== undefined && !(value <= max)) return ` ! asked: at most ${max}`;
  if (min !== undefined && !(value >= min)) return ` ! asked: at least ${min}`;
  return '';
}
