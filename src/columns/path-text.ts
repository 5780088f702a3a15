import type { FieldReading } from './reading.js';

/** What a column is of, for people. */
export function pathText({ path }: FieldReading): string {
  const text = path.join('.');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
