import { writeJson } from '@tamis/http';
import { completeObject } from '../model/complete-shape.js';
import type { Intern } from '../model/intern.js';
import { omitEmpty } from '../model/omit-empty.js';
import { readObject } from '../model/read-shape.js';
import type { StructShape } from '../model/shape.js';
import { tableShapes, type TableName } from '../state/tables.js';

/** The kinds of objects in an export, in the order in which they are written, and where they are kept. */
export const exportedKinds = [
  ['namespace', 'namespaces'],
  ['node', 'nodes'],
  ['job', 'jobs'],
  ['deployment', 'deployments'],
  ['evaluation', 'evaluations'],
  ['allocation', 'allocations'],
] as const satisfies readonly (readonly [kind: string, table: TableName])[];

export type ExportedKind = (typeof exportedKinds)[number][0];

/** Agents show these without what is empty, which cannot be told from what is not there. */
const shownWithoutEmpty: ReadonlySet<ExportedKind> = new Set<ExportedKind>(['evaluation', 'allocation']);

const shapes: ReadonlyMap<ExportedKind, StructShape> = new Map(
  exportedKinds.flatMap(([kind, table]) => {
    const shape = tableShapes.get(table);
    return shape === undefined ? [] : [[kind, shape] as const];
  }),
);

/** The line of a row of the state: the same, whether it comes from the store or from an agent. */
export function lineOfRow(kind: ExportedKind, row: object, intern: Intern): string {
  const shape = shapes.get(kind);
  const isSparse = shape !== undefined && shownWithoutEmpty.has(kind);
  return formatLine(kind, isSparse ? completeObject(shape, omitEmpty(row), intern) : row);
}

/**
 * The line of an object as an agent shows it: without what only tells about it, and with what is left out there.
 *
 * @throws ShapeError for what is no object of that kind.
 */
export function lineOfShown(kind: ExportedKind, shown: unknown, intern: Intern): string {
  const shape = shapes.get(kind);
  return formatLine(
    kind,
    shape === undefined ? shown : completeObject(shape, readObject(shape, shown, kind), intern),
  );
}

function formatLine(kind: ExportedKind, object: unknown): string {
  return `${writeJson({ kind, object })}\n`;
}
