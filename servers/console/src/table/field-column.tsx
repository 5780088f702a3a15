import { OutsideText } from '../text/outside-text.js';
import { Status } from '../text/status.js';
import type { Column } from './column.js';

interface FieldColumnOptions {
  /** What it is called, where that is not the name of the field. */
  readonly title?: string;
  readonly width: string;
  readonly isSorted?: boolean;
  readonly isStatus?: boolean;
  readonly from?: 600 | 900 | 1200;
}

/** A column that shows a field of texts or numbers as it is, and asks for its value when that is clicked. */
export function fieldColumn<Row extends object>(
  field: keyof Row & string,
  { title = field, width, isSorted = false, isStatus = false, from }: FieldColumnOptions,
): Column<Row> {
  const textOf = (row: Row): string => String(row[field] ?? '');
  return {
    title,
    width,
    ...(isSorted ? { sort: field } : {}),
    ...(from === undefined ? {} : { from }),
    render: (row) => (isStatus ? <Status status={textOf(row)} /> : <OutsideText text={textOf(row)} />),
    clauseFor: (row) => ({
      path: [field],
      value: typeof row[field] === 'number' ? row[field] : textOf(row),
    }),
  };
}
