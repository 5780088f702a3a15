import { writeJson } from '@tamis/http';
import { completeObject } from '../model/complete-shape.js';
import type { Intern } from '../model/intern.js';
import { omitEmpty } from '../model/omit-empty.js';
import { readObject } from '../model/read-shape.js';
import type { ExportedResource } from '../model/resources.js';

/** The line of a row of the state: the same, whether it comes from the store or from an agent. */
export function lineOfRow({ kind, shape, isSparse }: ExportedResource, row: object, intern: Intern): string {
  return formatLine(kind, isSparse ? completeObject(shape, omitEmpty(row), intern) : row);
}

/**
 * The line of an object as an agent shows it: without what only tells about it, and with what is left out there.
 *
 * @throws ShapeError for what is no object of that kind.
 */
export function lineOfShown({ kind, shape }: ExportedResource, shown: unknown, intern: Intern): string {
  return formatLine(kind, completeObject(shape, readObject(shape, shown, kind), intern));
}

function formatLine(kind: string, object: unknown): string {
  return `${writeJson({ kind, object })}\n`;
}
