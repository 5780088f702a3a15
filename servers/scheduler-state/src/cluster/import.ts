import { jsonSize } from 'tamis/internal';
import { readJson, RequestError } from '@tamis/http';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { defaultNamespace, namespaceNameProblem } from '@tamis/scheduler-model/namespace.js';
import { submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import { readObject, ShapeError } from '@tamis/scheduler-model/read-shape.js';
import {
  exportedResources,
  type ExportedResource,
  type Rows,
  type TableName,
} from '@tamis/scheduler-model/resources.js';
import { maxRowSize } from '../state/row-size.js';
import { noRows, type ClusterRows } from './cluster-rows.js';

/** An invalid line of an import. The message names file and line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly file: string;
  /** Line number, starting at 1. */
  readonly line: number;

  constructor(file: string, line: number, problem: string) {
    super(`${file}:${line}: ${problem}`);
    this.file = file;
    this.line = line;
  }
}

const kinds: ReadonlyMap<unknown, ExportedResource> = new Map(
  exportedResources.map((resource) => [resource.kind, resource]),
);

/** A row of an import. */
export interface ImportedRow {
  readonly resource: ExportedResource;
  readonly row: Rows[TableName];
  /** Approximate size in bytes of JSON. */
  readonly size: number;
}

/**
 * Reads an import with one JSON object per line: `{"kind": "node", "object": {...}}`. Missing fields get the zero value of their
 * type; indexes are kept. Empty lines are skipped.
 *
 * @param file name of the source in errors.
 * @throws ImportError for the first invalid line.
 */
export async function* readImportedRows(
  lines: AsyncIterable<string>,
  file: string,
): AsyncGenerator<ImportedRow> {
  const seen = new Map<string, number>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    yield readImportedLine(line, { file, number, seen });
  }
}

/** Returns all rows of an import. @throws ImportError for an invalid line; then nothing is imported */
export async function readImport(lines: AsyncIterable<string>, file: string): Promise<ClusterRows> {
  const rows = noRows();
  for await (const { resource, row } of readImportedRows(lines, file)) {
    // A row of a resource belongs to its table.
    (rows[resource.table] as (typeof row)[]).push(row);
  }
  return rows;
}

interface LinePlace {
  readonly file: string;
  /** Line number, starting at 1. */
  readonly number: number;
  /** Lines of earlier rows, by kind and key. */
  readonly seen: Map<string, number>;
}

function readImportedLine(line: string, { file, number, seen }: LinePlace): ImportedRow {
  try {
    const imported = readLine(line);
    const identity = `${imported.resource.kind} ${imported.resource.key(imported.row)}`;
    const first = seen.get(identity);
    if (first !== undefined) throw new ShapeError(identity, `is already on line ${first}`);
    seen.set(identity, number);
    return imported;
  } catch (error) {
    if (error instanceof ShapeError || error instanceof RequestError) {
      throw new ImportError(file, number, error.message);
    }
    throw error;
  }
}

function readLine(line: string): ImportedRow {
  const entry = readJson(line);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new ShapeError('line', 'expected an object {"kind": ..., "object": {...}}');
  }
  const { kind: name, object } = entry as { readonly kind?: unknown; readonly object?: unknown };
  const resource = kinds.get(name);
  if (resource === undefined) {
    const written = name === undefined ? 'nothing' : JSON.stringify(name);
    throw new ShapeError('kind', `expected ${[...kinds.keys()].join(', ')}, found ${written}`);
  }
  return readRow(resource, object);
}

function readRow(resource: ExportedResource, object: unknown): ImportedRow {
  const { shape, idField, idProblem } = resource;
  const given = readObject(shape, object, 'object');
  // Rows contain blocks as arbitrary JSON, but clients could not decode values of other types.
  if (resource.table === 'jobs') readObject(submittedJobShape, object, 'object');
  const placed = shape.properties.has('Namespace') ? { ...given, Namespace: namespaceOf(given) } : given;
  // The shape of the resource completed the row.
  const row = completeObject(shape, placed) as Rows[TableName];
  requireIndex('CreateIndex', row.CreateIndex);
  requireIndex('ModifyIndex', row.ModifyIndex);
  const isMissing = (row as Readonly<Record<string, unknown>>)[idField] === '';
  const problem = idProblem?.(row) ?? (isMissing ? 'is missing' : null);
  if (problem !== null) throw new ShapeError(`object.${idField}`, problem);
  // The job of an allocation is stored separately.
  const job = 'Job' in row ? row.Job : null;
  const size = storableSize('object', job === null ? row : { ...row, Job: null });
  return { resource, row, size: job === null ? size : size + storableSize('object.Job', job) };
}

/** Returns the size in bytes of JSON. */
function storableSize(path: string, row: object): number {
  const size = jsonSize(row);
  if (size <= maxRowSize) return size;
  throw new ShapeError(path, `takes ${size} bytes in JSON, and at most ${maxRowSize} can be stored`);
}

function namespaceOf({ Namespace }: Readonly<Record<string, unknown>>): string {
  if (typeof Namespace !== 'string' || Namespace === '') return defaultNamespace;
  const problem = namespaceNameProblem(Namespace);
  if (problem !== null) throw new ShapeError('object.Namespace', problem);
  return Namespace;
}

/** Throws if an index is close to the maximum, because later writes continue from the largest index. */
function requireIndex(name: string, index: number | bigint): void {
  if (typeof index === 'number' && index < 2 ** 52) return;
  throw new ShapeError(`object.${name}`, `is too large for an index: ${index}`);
}
