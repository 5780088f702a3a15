import { Status } from '../text/status.js';
import type { Column } from './column.js';

interface FieldColumnOptions {
  /** Title of the column, if different from the field name. */
  readonly title?: string;
  readonly width: string;
  readonly isSorted?: boolean;
  readonly isStatus?: boolean;
  readonly isNumeric?: boolean;
  readonly from?: 600 | 900 | 1200;
}

/** Creates a column for a string or number field; a click filters by its value. */
export function fieldColumn<Row extends object>(
  field: keyof Row & string,
  { title = field, width, isSorted = false, isStatus = false, ...options }: FieldColumnOptions,
): Column<Row> {
  const textOf = (row: Row): string => String(row[field] ?? '');
  return {
    title,
    width,
    ...(isSorted ? { sort: field } : {}),
    ...options,
    render: (row) => (isStatus ? <Status status={textOf(row)} /> : textOf(row)),
    clauseFor: (row) => ({
      path: [field],
      value: typeof row[field] === 'number' ? row[field] : textOf(row),
    }),
  };
}
