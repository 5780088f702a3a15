import { Age } from '../text/age.js';
import type { Column } from './column.js';

/** Creates a column with the age of a time, from a field in ns since 1970. */
export function ageColumn<Row extends object>(
  title: string,
  field: keyof Row,
  options: Pick<Column<Row>, 'sort' | 'from'> = {},
): Column<Row> {
  return {
    title,
    width: '13ch',
    ...options,
    render: ({ [field]: time }) => <Age nanoseconds={typeof time === 'bigint' ? time : Number(time ?? 0)} />,
  };
}
