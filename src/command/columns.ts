import { fieldPathText } from '../language/syntax/field-path.js';
import { escapeControls } from '../language/diagnostics/snippet.js';
import { compactJson } from './input/json-layout.js';

/** A column of a table: its title and the path to its values. */
export interface CellColumn {
  readonly title: string;
  readonly path: readonly string[];
}

/**
 * Returns the most informative columns: the preferred ones first, then fields with scalar values, then fields with lists and
 * objects. Each group is in the order of the rows.
 */
export function chooseColumns(
  rows: readonly object[],
  preferred: readonly (readonly string[])[],
): CellColumn[] {
  const plain = new Set<string>();
  const nested = new Set<string>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) {
      (typeof value === 'object' && value !== null ? nested : plain).add(key);
    }
  }
  const columns = new Map<string, CellColumn>();
  const add = (path: readonly string[]): void => {
    const text = fieldPathText(path);
    if (!columns.has(text)) columns.set(text, { title: path.length === 1 ? (path[0] ?? '') : text, path });
  };
  // The first field usually identifies the row, so it stays on the left.
  const [first] = plain;
  if (first !== undefined) add([first]);
  for (const path of preferred) add(path);
  for (const key of plain) add([key]);
  for (const key of nested) if (!plain.has(key)) add([key]);
  return [...columns.values()];
}

/** Returns the value at a path of own properties; undefined if none exists. */
export function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** Maximum size of the JSON shown in a cell, in bytes. Prevents large objects from being decoded and then truncated. */
const maxCellBytes = 4_096;

/**
 * Formats a value as one cell: strings without quotes, other values as JSON, without terminal control characters. Numbers are
 * spelled as in the value's source JSON, if that is known.
 */
export function cellText(value: unknown, max: number, written: Uint8Array | null = null): string {
  const text =
    typeof value === 'string' || value === undefined
      ? (value ?? '')
      : written === null
        ? toJSON(value)
        : compactJson(written.subarray(0, maxCellBytes)).toString();
  const cut = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return escapeControls(cut);
}

/** How much of a value is shown before an ellipsis. */
export interface Detail {
  readonly depth: number;
  readonly entries: number;
}

/** All of it. */
export const wholeValue: Detail = { depth: Infinity, entries: Infinity };

const glimpse: Detail = { depth: 3, entries: 20 };

/** Returns JSON on one line, with bigints as digits. */
export function toJSON(value: unknown, detail: Detail = glimpse): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  if (detail.depth === 0) return isList ? '[…]' : '{…}';
  const entries = Object.entries(value);
  const inner = { ...detail, depth: detail.depth - 1 };
  const rendered = entries.slice(0, detail.entries).map(([key, child]) => {
    const text = toJSON(child, inner);
    return isList ? text : `${JSON.stringify(key)}:${text}`;
  });
  if (entries.length > detail.entries) rendered.push('…');
  return isList ? `[${rendered.join(',')}]` : `{${rendered.join(',')}}`;
}
