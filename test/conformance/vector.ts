import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../../conformance/src/index.mjs';
import type { Answer, Case, Suite } from '../../conformance/src/data.mjs';
import type { Structs } from '../../conformance/src/row.mjs';

/** What go-bexpr's parser says: a tree, or a refusal of one of its classes. */
export interface ParseResult {
  readonly ok: boolean;
  readonly ast?: object;
  readonly class?: string;
}

export interface ParseVector extends ParseResult {
  readonly id: string;
  readonly family: string;
  readonly expr: string;
  /** For class `limit`: the result without the parser's step limit, if known. */
  readonly unlimited?: ParseResult;
}

/** What go-bexpr's evaluation says. `stage` is `decode` where the datum itself cannot be read. */
export interface EvaluationResult {
  readonly ok: boolean;
  readonly result?: boolean;
  readonly stage?: 'parse' | 'eval' | 'decode';
  readonly class?: string;
  /** The words of the refusal. */
  readonly error?: string;
}

export interface EvaluationVector extends EvaluationResult {
  readonly id: string;
  readonly family: string;
  readonly expr: string;
  /** The id of the datum. */
  readonly datum: string;
  /** The struct that the datum is decoded into; absent for untyped data. */
  readonly type?: string;
  /** The value that replaces missing ones. */
  readonly unknown?: unknown;
  /** The result if numbers in untyped places are float64, given if it differs. */
  readonly asFloat64?: EvaluationResult;
}

/** A datum is kept as text, because the digits of its numbers matter. */
export interface Datum {
  readonly id: string;
  readonly type?: string;
  readonly json: string;
}

export interface Vectors {
  readonly parse: readonly ParseVector[];
  readonly untyped: readonly EvaluationVector[];
  readonly typed: readonly EvaluationVector[];
  readonly datums: ReadonlyMap<string, Datum>;
  readonly structs: Structs;
  /** What the folder lacks, for people. */
  readonly notes: readonly string[];
}

/** A folder that cannot be read as vectors. The message says which file and what is wrong with it. */
export class VectorFileError extends Error {
  override readonly name = 'VectorFileError';
}

const vectorFiles = ['parse.jsonl', 'eval-untyped.jsonl', 'eval-typed.jsonl'] as const;

/**
 * Reads a folder of vectors. Data and types that a folder does not bring along are those of the suite.
 *
 * @throws VectorFileError when there is no folder, no file of vectors in it, or one is malformed.
 */
export function readVectors(folder: string): Vectors {
  if (!existsSync(folder)) throw new VectorFileError(`${folder}: there is no such folder`);
  if (!statSync(folder).isDirectory()) throw new VectorFileError(`${folder}: this is not a folder`);
  const present = vectorFiles.filter((name) => existsSync(join(folder, name)));
  if (present.length === 0) {
    throw new VectorFileError(`${folder}: holds none of ${vectorFiles.join(', ')}`);
  }
  const absent = vectorFiles.filter((name) => !present.includes(name));
  const notes = absent.map((name) => `${name}: not there, not run`);
  const common = (name: string, ours: string): string => {
    if (existsSync(join(folder, name))) return join(folder, name);
    notes.push(`${name}: not there, using ${join(dataFolder, ours)}`);
    return join(dataFolder, ours);
  };
  const lines = (name: (typeof vectorFiles)[number]): unknown[] =>
    present.includes(name) ? readLines(join(folder, name)) : [];
  const datums = readLines(common('datums.jsonl', 'rows.jsonl')) as unknown as Datum[];
  return {
    parse: lines('parse.jsonl').map(asVector<ParseVector>),
    untyped: lines('eval-untyped.jsonl').map(asVector<EvaluationVector>),
    typed: lines('eval-typed.jsonl').map(asVector<EvaluationVector>),
    datums: new Map(datums.map((datum) => [datum.id, datum])),
    structs: readStructs(common('types.json', 'schemas.json')),
    notes,
  };
}

/** Vectors as cases of the suite. They contain neither the sentence nor the version of the library. */
export function suiteOf({ parse, untyped, typed, datums, structs }: Vectors): Suite {
  const cases = [
    ...parse.map(parseCase),
    ...[...untyped, ...typed].map((vector) => evaluationCase(vector, datums)),
  ];
  return { cases, sentences: [], schemas: { structs } };
}

const common = { sentences: [], level: 0, source: 'go-bexpr' } as const;

function parseCase({ id, family, expr: expression, ...vector }: ParseVector): Case {
  // Input past the real parser's step limit, with an unknown result, is an expression all the same.
  const {
    ok,
    ast,
    class: code,
  }: ParseResult = vector.class === 'limit' ? (vector.unlimited ?? { ok: true }) : vector;
  const accepted = ast === undefined ? { accepted: true } : { tree: ast };
  const result: Answer = ok ? accepted : { error: 'syntax', ...(code === undefined ? {} : { class: code }) };
  return { ...common, id, family, expression, answer: result };
}

function evaluationCase(vector: EvaluationVector, datums: Vectors['datums']): Case {
  const { id, family, expr: expression, datum, type: schema, asFloat64 } = vector;
  const row = datums.get(datum)?.json;
  if (row === undefined) throw new VectorFileError(`vector ${id}: there is no datum ${datum}`);
  return {
    ...common,
    ...{ id, family, expression, row, answer: evaluationResult(vector) },
    ...(schema === undefined ? {} : { schema }),
    ...('unknown' in vector ? { unknown: vector.unknown } : {}),
    ...(asFloat64 === undefined ? {} : { float64: evaluationResult(asFloat64) }),
    ...(vector.error?.includes('ParseInt') === true ? { anyNumber: true } : {}),
  };
}

function evaluationResult({ ok, result, stage, class: code, error: words }: EvaluationResult): Answer {
  if (ok) return result === undefined ? {} : { value: result };
  if (stage === 'parse') return { error: 'syntax', class: code ?? '' };
  if (stage === 'decode') return { error: 'decode' };
  // A panic is an error of any class, and a hidden field looks like a missing one.
  if (code === undefined || code === 'panic') return { error: 'evaluation' };
  const seen = code === 'find-hidden-field' ? 'find-no-field' : code;
  return { error: 'evaluation', class: seen, ...(words === undefined ? {} : { words }) };
}

/** The lines of a file, split on `\n` only: texts may hold U+2028 and carriage returns. */
function readLines(path: string): Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const read = parseJson(line, `${path}:${index + 1}`);
    if (typeof read !== 'object' || read === null || !('id' in read)) {
      throw new VectorFileError(`${path}:${index + 1}: expected an object with an id`);
    }
    return [read as Readonly<Record<string, unknown>>];
  });
}

function asVector<T extends ParseVector | EvaluationVector>(line: unknown): T {
  const { id, family, expr, ok } = line as Partial<T>;
  if (typeof family !== 'string' || typeof expr !== 'string' || typeof ok !== 'boolean') {
    throw new VectorFileError(
      `vector ${String(id)}: expected family and expr as text and ok as true or false`,
    );
  }
  return line as T;
}

function readStructs(path: string): Structs {
  const file = parseJson(readFileSync(path, 'utf8'), path);
  if (typeof file !== 'object' || file === null || !('structs' in file)) {
    throw new VectorFileError(`${path}: expected an object with structs`);
  }
  return file.structs as Structs;
}

function parseJson(text: string, position: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new VectorFileError(`${position}: ${(error as Error).message}`);
  }
}
