import { readJson, RequestError } from '@tamis/http';
import { allocationShape, type Allocation } from '../model/allocation.js';
import { completeObject } from '../model/complete-shape.js';
import { deploymentShape, type Deployment } from '../model/deployment.js';
import { evaluationShape, type Evaluation } from '../model/evaluation.js';
import type { Intern } from '../model/intern.js';
import { jobKey, jobShape, type Job } from '../model/job.js';
import { defaultNamespace, namespaceName, namespaceShape, type Namespace } from '../model/namespace.js';
import { nodeShape, type Node } from '../model/node.js';
import { readObject, ShapeError } from '../model/read-shape.js';
import type { StructShape } from '../model/shape.js';
import { noRows, type ClusterRows } from './cluster-rows.js';

/** A line of an import that cannot be used. The message names file and line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly file: string;
  /** From 1. */
  readonly line: number;

  constructor(file: string, line: number, problem: string) {
    super(`${file}:${line}: ${problem}`);
    this.file = file;
    this.line = line;
  }
}

/** How one kind of object is read and where it goes. */
interface Kind {
  /** Reads the object into `rows` and returns what no other object of its kind may be called. */
  readonly read: (object: unknown, rows: ClusterRows, intern: Intern) => string;
}

const kinds: ReadonlyMap<string, Kind> = new Map([
  [
    'namespace',
    kind<Namespace>(namespaceShape, (row, rows) => (rows.namespaces.push(row), requireName(row.Name))),
  ],
  ['node', kind<Node>(nodeShape, (row, rows) => (rows.nodes.push(row), requireId(row.ID)))],
  ['job', kind<Job>(jobShape, (row, rows) => (rows.jobs.push(row), requireJobId(jobKey(row), row.ID)))],
  [
    'deployment',
    kind<Deployment>(deploymentShape, (row, rows) => (rows.deployments.push(row), requireId(row.ID))),
  ],
  [
    'evaluation',
    kind<Evaluation>(evaluationShape, (row, rows) => (rows.evaluations.push(row), requireId(row.ID))),
  ],
  [
    'allocation',
    kind<Allocation>(allocationShape, (row, rows) => (rows.allocations.push(row), requireId(row.ID))),
  ],
]);

/**
 * Reads an import: one JSON object a line, `{"kind": "node", "object": {...}}`. Fields that are absent get the zero
 * value of their kind, indexes stay as given. Empty lines are skipped.
 *
 * @param file what to call the source in errors.
 * @throws ImportError for the first line that cannot be used; nothing has been imported then.
 */
export async function readImport(
  lines: AsyncIterable<string>,
  file: string,
  intern: Intern,
): Promise<ClusterRows> {
  const rows = noRows();
  const seen = new Map<string, number>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      const identity = readLine(line, rows, intern);
      const first = seen.get(identity);
      if (first !== undefined) throw new ShapeError(identity, `is already on line ${first}`);
      seen.set(identity, number);
    } catch (error) {
      if (error instanceof ShapeError || error instanceof RequestError) {
        throw new ImportError(file, number, error.message);
      }
      throw error;
    }
  }
  return rows;
}

function readLine(line: string, rows: ClusterRows, intern: Intern): string {
  const entry = readJson(line);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new ShapeError('line', 'expected an object {"kind": ..., "object": {...}}');
  }
  const { kind: name, object } = entry as { readonly kind?: unknown; readonly object?: unknown };
  const known = typeof name === 'string' ? kinds.get(name) : undefined;
  if (known === undefined) {
    const written = name === undefined ? 'nothing' : JSON.stringify(name);
    throw new ShapeError('kind', `expected ${[...kinds.keys()].join(', ')}, found ${written}`);
  }
  return `${String(name)} ${known.read(object, rows, intern)}`;
}

interface Written {
  readonly CreateIndex: number | bigint;
  readonly ModifyIndex: number | bigint;
}

/** The caller pairs the shape with its type of row. */
function kind<R extends Written>(shape: StructShape, add: (row: R, rows: ClusterRows) => string): Kind {
  return {
    read(object, rows, intern) {
      const given = readObject(shape, object, 'object');
      const placed = 'Namespace' in shape.fields ? { ...given, Namespace: namespaceOf(given) } : given;
      const row = completeObject(shape, placed, intern) as R;
      requireIndex('CreateIndex', row.CreateIndex);
      requireIndex('ModifyIndex', row.ModifyIndex);
      return add(row, rows);
    },
  };
}

function namespaceOf({ Namespace }: Readonly<Record<string, unknown>>): string {
  return typeof Namespace === 'string' && Namespace !== ''
    ? requireName(Namespace, 'object.Namespace')
    : defaultNamespace;
}

function requireName(name: string, path = 'object.Name'): string {
  if (namespaceName.test(name)) return name;
  throw new ShapeError(path, `expected 1 to 128 letters, digits and dashes, found ${JSON.stringify(name)}`);
}

function requireId(id: string): string {
  if (id === '') throw new ShapeError('object.ID', 'is missing');
  return id;
}

function requireJobId(key: string, id: string): string {
  if (/[ \0]/.test(id)) throw new ShapeError('object.ID', 'must not hold blanks or null characters');
  requireId(id);
  return key;
}

/** Later writes count on from the largest index, so it must leave them room. */
function requireIndex(name: string, index: number | bigint): void {
  if (typeof index === 'number' && index < 2 ** 52) return;
  throw new ShapeError(`object.${name}`, `is too large for an index: ${index}`);
}
