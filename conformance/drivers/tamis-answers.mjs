import { createInterface } from 'node:readline';
import { readRow } from '../src/row.mjs';

/** @typedef {typeof import('tamis') & Pick<typeof import('tamis/lint'), 'lint'>} Engine */

/** Limits of an implementation are no part of the language. */
const noLimits = {
  maxLength: Infinity,
  maxDepth: Infinity,
  maxTerms: Infinity,
  maxPatternLength: Infinity,
  maxPatternSize: Infinity,
};

/**
 * What Tamis says of itself.
 *
 * @param {string} version
 * @returns {import('../src/judge.mjs').Program}
 */
export function tamisProgram(version) {
  const dialects = ['go-bexpr', 'standard'];
  return {
    name: 'Tamis',
    version,
    level: 1,
    dialects,
    numbers: 'float64',
    trees: true,
    classes: true,
    lint: true,
  };
}

/**
 * Is a program under test: reads cases and writes results, line by line.
 *
 * @param {Engine} engine
 * @param {string} version
 * @param {{ stdin: NodeJS.ReadableStream, stdout: NodeJS.WritableStream }} streams
 */
export async function serveTamis(engine, version, { stdin, stdout }) {
  /** @param {object} line */
  const say = (line) => stdout.write(`${JSON.stringify(line)}\n`);
  let answer = createTamisAnswers(engine, {});
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
    const message = JSON.parse(line);
    if (message.protocol !== undefined) say(tamisProgram(version));
    else if (message.structs !== undefined) answer = createTamisAnswers(engine, message.structs);
    else say({ id: message.id, ...answer(message) });
  }
}

/**
 * Evaluates cases with an engine: the modules `tamis` and `tamis/lint`, or their sources. Schemas and rows are read once.
 *
 * @param {Engine} engine
 * @param {import('../src/row.mjs').Structs} structs
 * @param {import('../src/judge.mjs').Program['numbers']} [numbers] what a number of no declared kind is read as
 * @returns {(testCase: import('../src/data.mjs').Case) => import('../src/data.mjs').Answer}
 */
export function createTamisAnswers(engine, structs, numbers) {
  /** @type {Map<string, import('tamis').Schema>} */
  const schemas = new Map();
  /** @param {string} root */
  const schemaOf = (root) => {
    const schema = schemas.get(root) ?? engine.parseSchema({ root, structs });
    schemas.set(root, schema);
    return schema;
  };
  /** @type {Map<string, unknown>} */
  const rows = new Map();
  /** @type {(json: string, struct: string | undefined) => unknown} */
  const rowOf = (json, struct) => {
    const key = `${struct ?? ''} ${json}`;
    if (!rows.has(key)) rows.set(key, readRow(json, struct, structs, numbers));
    return rows.get(key);
  };
  return ({ asks, expression, dialect = 'go-bexpr', level, schema, row, now, ...rest }) => {
    try {
      const reading = /** @type {const} */ ({ dialect, limits: noLimits });
      if (asks === 'lint') {
        const given = schema === undefined ? {} : { schema: schemaOf(schema) };
        const codes = engine.lint(expression, { ...reading, level, ...given }).map(({ code }) => code);
        return { findings: [...new Set(codes)].sort() };
      }
      if (row === undefined && schema === undefined) {
        const { ast } = engine.parse(expression, { ...reading, level });
        return level === 0 ? { tree: toTree(ast) } : { accepted: true };
      }
      const filter = engine.compileFilter(expression, {
        ...reading,
        level,
        check: dialect === 'standard',
        ...(schema === undefined ? {} : { schema: schemaOf(schema) }),
        ...('unknown' in rest ? { unknownValue: rest.unknown } : {}),
        ...(now === undefined ? {} : { now: () => new Date(now) }),
      });
      return row === undefined ? { accepted: true } : { value: filter.test(rowOf(row, schema)) };
    } catch (error) {
      return refusalOf(engine, error);
    }
  };
}

/**
 * @param {typeof import('tamis')} engine
 * @param {unknown} error
 * @returns {import('../src/data.mjs').Answer}
 */
function refusalOf({ FilterSyntaxError, FilterCheckError, FilterEvaluationError, FilterLimitError }, error) {
  if (error instanceof FilterSyntaxError) return { error: 'syntax', class: error.code };
  if (error instanceof FilterCheckError) return { error: 'check', class: error.code, words: error.goMessage };
  if (error instanceof FilterEvaluationError)
    return { error: 'evaluation', class: error.code, words: error.goMessage };
  if (error instanceof FilterLimitError) return { error: 'limit', class: error.code };
  return { skip: `escaped: ${String(error)}` };
}

/**
 * The tree in the form of the suite: `a or b or c` unfolds to the right.
 *
 * @param {import('tamis').Expression} expression
 * @returns {object}
 */
export function toTree(expression) {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const { kind: type, operands } = expression;
      return operands.map(toTree).reduceRight((right, left) => ({ type, left, right }));
    }
    case 'not':
      return { type: 'not', operand: toTree(expression.operand) };
    case 'match': {
      const { operator, selector, value } = expression;
      const match = { type: 'match', operator, selector: toSelector(selector) };
      return value?.kind === 'value' ? { ...match, value: value.text } : match;
    }
    default: {
      const { kind: type, selector, binding, body } = expression;
      /** @type {Record<string, string>} */
      const bindings = {};
      for (const role of /** @type {const} */ (['default', 'index', 'value'])) {
        const name = binding[role];
        if (name !== null) bindings[role] = name.text;
      }
      return { type, selector: toSelector(selector), bindings, body: toTree(body) };
    }
  }
}

/** @param {import('tamis').Selector} selector */
function toSelector({ form, path }) {
  return { kind: form, path: [...path] };
}
