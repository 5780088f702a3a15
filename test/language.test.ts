import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  defineSchema,
  FilterCheckError,
  FilterError,
  FilterEvaluationError,
  parse,
  t,
  type Schema,
  type Type,
} from '../src/index.js';
import { portable } from '../src/entries/portable.js';

// The results in docs/language.md match those of its examples.

const page = readFileSync(new URL('../docs/language.md', import.meta.url), 'utf8');
const now = new Date('2026-11-22T12:00:00Z');

function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no block of ${language}`);
  return found;
}

interface Row {
  readonly ID: string;
}

const rows = JSON.parse(block('json')) as Row[];
const schema = declaredSchema();

function declaredSchema(): Schema {
  const { outputText } = ts.transpileModule(block('ts').replace(/^import .*$/m, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const body = compileFunction(outputText.replace(/^export const schema =/m, 'return'), [
    'defineSchema',
    't',
  ]);
  return (body as (define: unknown, types: unknown) => Schema)(defineSchema, t);
}

/** The cells of the rows of a table, code without its backticks, each under its heading. */
function readTable(lines: readonly string[]): Record<string, string>[] {
  const [heads = [], , ...body] = lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
  return body.map((cells) =>
    Object.fromEntries(cells.map((cell, at) => [heads[at] ?? '', cell.replace(/^(`+) ?(.*?) ?\1$/, '$2')])),
  );
}

interface Example {
  readonly filter: string;
  readonly finds: string;
  readonly level: string | undefined;
  /** The same at level 0. */
  readonly portableText: string | undefined;
}

const tables = [...page.matchAll(/(?:^\|.*\|\n)+/gm)].flatMap(([text]) =>
  readTable(text.trimEnd().split('\n')),
);

const examples: readonly Example[] = tables
  .filter((cells) => 'Finds' in cells)
  .map((cells) => {
    const { Filter: filter = '', Finds: finds = '', Level: level, 'Level 0': portableText } = cells;
    return { filter, finds, level, portableText };
  });

const single = tables.flatMap(({ Row: row, Filter: filter, Result: results }) =>
  row === undefined || filter === undefined || results === undefined ? [] : [{ row, filter, results }],
);

const missing = tables.flatMap(({ Filter: filter, 'Without the field': results }) =>
  filter === undefined || results === undefined ? [] : [{ filter, results }],
);

/** The results of tests for fields of one declaration: one for each value of `unresolved`. */
const nulls = tables.flatMap(({ 'Declared as': declared, 'In the row': value, V: literal, ...cells }) =>
  declared === undefined || value === undefined || literal === undefined
    ? []
    : Object.entries(cells).flatMap(([forms, result]) => {
        const [plain = '', ofElements = plain] = forms.replaceAll('`', '').split(', ');
        const form = /list|map|array/.test(declared) ? ofElements : plain;
        const [error = '', absent = error] = result.split(' / ');
        const filter = form.replace(/\bV\b/, literal);
        const row = value === 'missing' ? '{}' : `{"F":${value}}`;
        return result === '' ? [] : [{ declared, row, filter, error, absent }];
      }),
);

/** The result of a filter, in the words of the page. */
function evaluate(filter: string): string {
  return attempt(() => {
    const found = compileFilter<Row>(filter, { schema, now: () => now }).select(rows);
    if (found.length === 0) return 'none';
    return found.length === rows.length ? 'all' : found.map(({ ID }) => ID).join(', ');
  });
}

function attempt(evaluate: () => string): string {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return `${error instanceof FilterCheckError ? '_refused_' : '_error_'}: ${error.message}`;
  }
}

function expectResult(actual: string, promised: string): void {
  const [how, words] = promised.split(': ');
  if (words === undefined) expect(actual).toBe(promised);
  else expect(actual).toMatch(new RegExp(`^${how}: .*${words}`));
}

describe('the examples', () => {
  it('are all there', () => {
    expect(rows.length).toBe(3);
    expect(examples.length).toBeGreaterThan(100);
    expect(single.length).toBeGreaterThan(5);
    expect(missing.length).toBeGreaterThan(10);
    expect(nulls.length).toBeGreaterThan(150);
  });

  it.each(examples)('$filter', ({ filter, finds, level, portableText }) => {
    expectResult(evaluate(filter), finds);
    if (portableText !== undefined) {
      expect(portable(filter, { schema })).toEqual({ ok: true, text: portableText });
      expect(evaluate(portableText)).toBe(finds);
    }
    if (level === '0') expect(parse(filter, { level: 0 }).relaxations).toEqual([]);
    else if (level === '1') expect(() => parse(filter, { level: 0 })).toThrow(FilterError);
  });

  it.each(single)('$filter on $row', ({ row, filter, results }) => {
    expectResult(
      attempt(() => String(compileFilter(filter).test(JSON.parse(row)))),
      results,
    );
  });

  it.each(missing)('$filter, of a row that lacks the field', ({ filter, results }) => {
    expect(String(compileFilter<object>(filter, { schema }).test({}))).toBe(results);
  });

  it.each(nulls)('$filter on $row, declared as $declared', ({ declared, row, filter, error, absent }) => {
    const type = compileFunction(`return ${declared === 'undeclared' ? 't.any' : declared}`, ['t'])(
      t,
    ) as Type;
    const options = declared === 'undeclared' ? {} : { schema: defineSchema({ F: type }) };
    for (const [unresolved, promised] of [
      ['error', error],
      ['absent', absent],
    ] as const) {
      const test = (): boolean =>
        compileFilter<unknown>(filter, { ...options, check: false, unresolved }).test(JSON.parse(row));
      if (promised === '_error_') expect(test, unresolved).toThrow(FilterEvaluationError);
      else expect(String(test()), unresolved).toBe(promised);
    }
  });
});
