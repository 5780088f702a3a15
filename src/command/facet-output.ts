import { escapeControls } from '../language/diagnostics/snippet.js';
import { createValueTally } from '../lists/query/scan/value-counts.js';
import { toJSON, valueAt, type CellColumn } from './columns.js';
import type { Output } from './io.js';
import type { Palette } from './palette.js';
import type { RowOutput } from './row-output.js';

/** Maximum length of a value that is counted individually, in characters. */
const maxValueLength = 256;

/**
 * Counts the values of some fields over all rows. Each distinct element of a list counts once per row, and rows without the field
 * are counted too. The most frequent values are listed; the others are totalled.
 */
export function createFacetOutput(
  output: Output,
  columns: readonly CellColumn[],
  asJSON: boolean,
  palette: Palette,
): RowOutput {
  const facets = columns.map((column) => ({ ...column, tally: createValueTally(), without: 0 }));
  return {
    add(_, row) {
      for (const facet of facets) {
        const values = new Set(valuesOf(valueAt(row, facet.path)));
        if (values.size === 0) facet.without += 1;
        for (const value of values) facet.tally.add(value, 1);
      }
    },
    flush: () => Promise.resolve(),
    async end() {
      const reported = facets.map(({ title, tally, without }) => ({
        field: title,
        ...tally.finish(),
        without,
      }));
      if (asJSON) return output.write(reported.map((each) => `${JSON.stringify(each)}\n`).join(''));
      const texts = reported.map(({ field, values, others, without }) => {
        const rows = [
          ...values.map(({ value, count }) => [value, count] as const),
          ...(others > 0 ? [['(others)', others] as const] : []),
          ...(without > 0 ? [['(none)', without] as const] : []),
        ];
        const width = Math.max(0, ...rows.map(([, count]) => String(count).length));
        const lines = rows.map(
          ([value, count]) => `${String(count).padStart(width)}  ${escapeControls(value)}\n`,
        );
        return `${palette.strong(escapeControls(field))}\n${lines.join('')}`;
      });
      await output.write(texts.join('\n'));
    },
  };
}

function valuesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((each: unknown) => {
    const text = typeof each === 'string' ? each : toJSON(each);
    return text.length > maxValueLength ? `${text.slice(0, maxValueLength - 1)}…` : text;
  });
}
