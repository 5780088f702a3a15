import type { ESLint, Rule } from 'eslint';
import ts from 'typescript';
import manifest from '../package.json' with { type: 'json' };
import { findFilters, type FilterFunction, type FilterText } from './find-filters.js';
import { problemsIn, type FilterProblem } from './problems.js';

interface RuleOptions {
  readonly functions?: readonly FilterFunction[];
  readonly properties?: readonly string[];
}

const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    functions: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: { type: 'string' },
          argument: { type: 'integer', minimum: 0 },
          options: { type: 'integer', minimum: 0 },
        },
      },
    },
    properties: { type: 'array', items: { type: 'string' } },
  },
} as const;

/** The filters of a file by its syntax tree, so that the second rule does not look for them again. */
const found = new WeakMap<object, Found>();

interface Found {
  /** The options that it was looked for with. */
  readonly key: string;
  readonly filters: readonly FilterText[];
  /** What offsets of the compiler count more than those of ESLint: a byte order mark that its text has. */
  readonly shift: number;
}

function filtersOf({ sourceCode, filename, options }: Rule.RuleContext): Found {
  const [given = {}] = options as readonly RuleOptions[];
  const key = JSON.stringify(given);
  const known = found.get(sourceCode.ast);
  if (known?.key === key) return known;
  const services = sourceCode.parserServices as { readonly program?: ts.Program | null };
  const program = services.program ?? null;
  const file =
    program?.getSourceFile(filename) ??
    ts.createSourceFile(filename, sourceCode.text, ts.ScriptTarget.Latest, true, scriptKind(filename));
  const checker = program?.getSourceFile(filename) === file ? program.getTypeChecker() : null;
  const filters = findFilters(ts, file, checker, given);
  const made = { key, filters, shift: file.text.startsWith('\ufeff') ? 1 : 0 };
  found.set(sourceCode.ast, made);
  return made;
}

function scriptKind(filename: string): ts.ScriptKind {
  return /\.[cm]?jsx?$|\.tsx$/.test(filename) ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

/** @throws Error if the installed TypeScript has no API for programs: since version 7 it is a native compiler. */
function checkTypeScript(): void {
  if (typeof (ts as Partial<typeof ts>).createSourceFile === 'function') return;
  throw new Error(
    `${manifest.name}: typescript must be 5.4 or later and below 7, got ${ts.version}. ` +
      'Install typescript@6 for the rules, or keep filters in files that tamis-language-server checks',
  );
}

function makeRule(severity: FilterProblem['severity'], description: string): Rule.RuleModule {
  return {
    meta: {
      type: severity === 'error' ? 'problem' : 'suggestion',
      docs: { description, recommended: true },
      hasSuggestions: true,
      schema: [optionsSchema],
      messages: { filter: '{{message}}', fix: '{{title}}' },
    },
    create(context) {
      checkTypeScript();
      const { sourceCode } = context;
      return {
        'Program:exit'() {
          const { filters, shift } = filtersOf(context);
          for (const problem of problemsIn(filters)) {
            if (problem.severity !== severity) continue;
            context.report({
              loc: {
                start: sourceCode.getLocFromIndex(problem.start - shift),
                end: sourceCode.getLocFromIndex(problem.end - shift),
              },
              messageId: 'filter',
              data: { message: problem.message },
              suggest: problem.fixes.map(({ title, start, end, text }) => ({
                messageId: 'fix',
                data: { title },
                fix: (fixer) => fixer.replaceTextRange([start - shift, end - shift], text),
              })),
            });
          }
        },
      };
    },
  };
}

const rules = {
  'valid-filter': makeRule('error', 'Invalid filters, and filters that no row can satisfy'),
  'suspicious-filter': makeRule('warning', 'Filters that are probably not meant as they are written'),
};

const plugin = { meta: { name: manifest.name, version: manifest.version }, rules } satisfies ESLint.Plugin;

/** What a flat configuration adds. */
export const configs = {
  recommended: {
    name: 'tamis/recommended',
    plugins: { tamis: plugin },
    rules: { 'tamis/valid-filter': 'error', 'tamis/suspicious-filter': 'warn' },
  },
} satisfies Record<string, object>;

export const { meta } = plugin;
export { rules };
