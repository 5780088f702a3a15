import { compileFilter, FilterError, parse, parseSchema, type Filter, type Schema } from 'tamis';
import { complete, createFieldCatalog, format, hover, type FieldCatalog } from 'tamis/editor';
import { findProblems } from '@tamis/filter-box/find-problems';
import { rowStates, type Engine, type RowSource, type ScanState } from '../protocol.js';
import { cellOf, columnsOf, jsonOf } from './cell.js';
import { createRowExplainer, inspectFilter, reportClauses } from './inspect.js';
import { inferSchema } from './infer-schema.js';
import { maxCharacters } from './limits.js';
import { ReadError } from './read-problem.js';
import { readRows } from './read-rows.js';
import { samples } from './samples.js';
import { emptyResult, scan, type ScanHost, type ScanResult } from './scan.js';

/** What a session needs of the world. */
export interface SessionHost extends Pick<ScanHost, 'now' | 'pause'> {
  readonly report: (state: ScanState) => void;
}

/** What the calls of {@link Engine} give, now or later. */
export type Session = {
  readonly [Method in keyof Engine]: (
    ...args: Parameters<Engine[Method]>
  ) => ReturnType<Engine[Method]> | Promise<ReturnType<Engine[Method]>>;
};

/** Longest JSON of a row that is shown. */
const maxDetailLength = 20_000;
/** Most rows of a list that are handed over at once. */
const maxRowsAtOnce = 500;

/** Rows, their schema and the latest filter: the model of a page, without the page. */
export function createSession(host: SessionHost): Session {
  let rows: readonly object[] = [];
  let columns: readonly string[] = [];
  let schema: Schema | null = null;
  let catalog: FieldCatalog = createFieldCatalog([]);
  let filter: Filter | null = null;
  let result: ScanResult = emptyResult(0);
  let runs = 0;
  let loads = 0;
  // The parser makes itself ready when it is first used: while the page is drawn, not at the first key.
  parse('ready == true');

  const forget = (): void => {
    runs += 1;
    filter = null;
    result = emptyResult(rows.length);
  };
  const compile = (text: string): Filter => compileFilter(text, schema === null ? {} : { schema }).at();

  return {
    async load(source) {
      loads += 1;
      const load = loads;
      try {
        const { name, text } = await textOf(source);
        if (load !== loads) return null;
        const read = readRows(text);
        const inferred = inferSchema(read.rows);
        const names = Object.keys(inferred.structs[inferred.root]?.fields ?? {});
        const visibleColumns = columnsOf(read.rows, names);
        rows = read.rows;
        columns = visibleColumns.columns.map((column) => column.name);
        schema = parseSchema(inferred);
        catalog = createFieldCatalog(rows, schema);
        forget();
        const { format: rowFormat, problems, problemCount } = read;
        const value = {
          name,
          format: rowFormat,
          rows: rows.length,
          characters: text.length,
          columns: visibleColumns.columns,
          hiddenColumns: visibleColumns.hidden,
          schema: inferred,
          problems,
          problemCount,
        };
        return { ok: true, value };
      } catch (error) {
        if (!(error instanceof ReadError)) throw error;
        return { ok: false, problem: error.problem };
      }
    },

    setSchema(json) {
      try {
        const next = json === null ? null : parseSchema(json);
        schema = next;
        catalog = createFieldCatalog(rows, next);
        forget();
        return { ok: true, value: next === null ? null : next.toJSON() };
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return { ok: false, problem: { line: null, message: error.message, hint: null } };
      }
    },

    async run(text) {
      const begin = host.now();
      const compiled = text.trim() === '' ? null : unlessWrong(() => compile(text));
      // What is being typed ends no scan before it is a filter.
      if (compiled === null && text.trim() !== '') return false;
      const compileTime = host.now() - begin;
      filter = compiled;
      runs += 1;
      const run = runs;
      result = emptyResult(rows.length);
      if (filter === null) return { ...allRows(rows.length), compileTime };
      const isCurrent = (): boolean => run === runs;
      const state = await scan(filter, rows, result, { ...host, isCurrent });
      return state === null ? null : { ...state, compileTime };
    },

    stop() {
      runs += 1;
      return null;
    },

    rows(selection, from, count) {
      const found = selection === 'failed' ? result.failing : result.matching;
      // Without a filter every row matches.
      const chosen = selection === 'all' || (selection === 'matching' && filter === null) ? null : found;
      const end = Math.min(from + Math.min(count, maxRowsAtOnce), chosen?.length ?? rows.length);
      return Array.from({ length: Math.max(0, end - from) }, (_, offset) => {
        const index = chosen?.[from + offset] ?? from + offset;
        const row = rows[index] ?? {};
        const state = rowStates[result.states[index] ?? 0] ?? 'unknown';
        return { index, state, cells: columns.map((column) => cellOf(row, column)) };
      });
    },

    detail(index) {
      const row = rows[index];
      if (row === undefined) return null;
      const json = jsonOf(row, 2);
      const explained = filter === null ? null : createRowExplainer(filter.source, schema)(row);
      return {
        index,
        json: json.slice(0, maxDetailLength),
        isCut: json.length > maxDetailLength,
        explained: explained?.tree ?? null,
        decidedBy: explained?.decidedBy ?? [],
      };
    },

    inspect: (text) => unlessWrong(() => inspectFilter(text, schema)),
    report: (text) => unlessWrong(() => reportClauses(text, rows, schema, host.now)),

    async sql(text, dialect) {
      if (schema === null || text.trim() === '') return null;
      const requestedSchema = schema;
      const { writeSql } = await import('./write-sql.js');
      return unlessWrong(() => writeSql(text, requestedSchema, dialect));
    },

    problems: (text) => findProblems(text, schema),

    complete: (text, offset) =>
      complete(text, offset, {
        schema: schema ?? undefined,
        keys: (path) => catalog.keys(path),
        values: (path) => catalog.values(path),
      }),
    hover: (text, offset) => hover(text, offset, { schema: schema ?? undefined }),
    format: (text) => format(text),

    rowsText(max) {
      const lines: string[] = [];
      let length = 0;
      for (const row of rows) {
        const line = jsonOf(row);
        length += line.length + 1;
        if (length > max) return null;
        lines.push(line);
      }
      return lines.join('\n');
    },
  };
}

/** The state of a scan without a filter. */
function allRows(count: number): ScanState {
  return { scanned: count, matched: count, failed: 0, scanTime: 0, isDone: true, failure: null };
}

async function textOf(source: RowSource): Promise<{ readonly name: string; readonly text: string }> {
  switch (source.kind) {
    case 'text':
      return source;
    case 'file': {
      const { name, size } = source.file;
      if (size > maxCharacters)
        throw new ReadError(`${name} has ${size} bytes, and ${maxCharacters} are the most`);
      return { name, text: decode(await source.file.arrayBuffer()) };
    }
    case 'sample': {
      const sample = samples.find(({ id }) => id === source.id);
      if (sample === undefined) throw new ReadError(`there is no sample ${source.id}`);
      return { name: sample.id, text: sample.makeText() };
    }
  }
}

/** @throws ReadError for bytes that are no UTF-8: a text that was changed silently would never be found. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ReadError('the file is not UTF-8', null, 'convert it first, for example with iconv -t UTF-8');
  }
}

/** Null if the source is not a valid filter; `problems` says why. */
function unlessWrong<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}
