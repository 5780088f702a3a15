import { literal, type Condition, type Path } from '../cases/condition.js';
import { filterCases } from '../cases/cases.js';
import type { RowKind } from '../data/rows.js';
import { createSchemas } from '../data/schemas.js';
import type { Engine } from '../engine.js';
import type { Filter } from '../../src/index.js';
import {
  CannotExpress,
  filterRows,
  type Competitor,
  type BenchQuery,
  type Select,
  type Written,
} from './competitor.js';

/** The engine as a server uses it: with a schema, and looping by itself. */
export function createTamis(engine: Engine, name = 'tamis'): Competitor {
  const schemas = createSchemas(engine);
  return createCompetitor(name, 'filter.select', (form, kind) => {
    const filter = engine.compileFilter(form, { schema: schemas[kind] });
    return (rows) => filter.select(rows);
  });
}

/** Without generated code, as in browsers and where a policy forbids it. */
export function createTamisClosures(engine: Engine): Competitor {
  const schemas = createSchemas(engine);
  const isKnown = knowsSpecialise(engine);
  const competitor = createCompetitor('tamis-closures', 'specialise: false; filter.select', (form, kind) => {
    const options = { schema: schemas[kind], specialise: false };
    const filter = engine.compileFilter(form, options);
    return (rows) => filter.select(rows);
  });
  const write = (query: BenchQuery): Written => {
    if (!isKnown) throw new CannotExpress('this build has no option specialise');
    return competitor.write(query);
  };
  return { ...competitor, write };
}

/** Older builds ignore the option or refuse it; one that has it takes a boolean and nothing else. */
function knowsSpecialise(engine: Engine): boolean {
  const takes = (specialise: unknown): boolean => {
    const options = { specialise };
    try {
      engine.compileFilter('a == 1', options as object);
      return true;
    } catch {
      return false;
    }
  };
  return takes(false) && !takes('no');
}

/** The same filters as predicates, called by the array. */
export function createTamisTest(engine: Engine): Competitor {
  return createPredicates(engine, 'tamis-test', 'rows.filter(filter.test)', (filter) => () => filter.test);
}

/** As predicates that were taken out of the filter before its first row, and are kept. */
export function createTamisCachedTest(engine: Engine): Competitor {
  return createPredicates(
    engine,
    'tamis-kept-test',
    'const { test } = filter; rows.filter(test)',
    ({ test }) => {
      return () => test;
    },
  );
}

function createPredicates(
  engine: Engine,
  name: string,
  manner: string,
  take: (filter: Filter) => () => Filter['test'],
): Competitor {
  const schemas = createSchemas(engine);
  const competitor = createCompetitor(name, manner, (form, kind) => {
    const test = take(engine.compileFilter(form, { schema: schemas[kind] }));
    return (rows) => filterRows(rows, test());
  });
  return { ...competitor, against: 'predicate' };
}

/** A filter for each request, with a literal of its own, compiled and run once. */
export function createTamisOnce(engine: Engine): Competitor {
  const competitor = createTamis(engine, 'tamis-once');
  return {
    ...competitor,
    manner: 'compileFilter(...).select, once each',
    against: 'one-shot',
    read: (form) => engine.parse(form),
  };
}

/** Without a schema: each value's own kind decides. */
export function createTamisOpen(engine: Engine): Competitor {
  return createCompetitor('tamis-open', 'no schema; filter.select', (form) => {
    const filter = engine.compileFilter(form);
    return (rows) => filter.select(rows);
  });
}

function createCompetitor(
  name: string,
  manner: string,
  compile: (form: string, kind: RowKind) => Select,
): Competitor {
  const write = (query: BenchQuery): Written => {
    const form = expressionOf(query);
    return { form, compile: () => compile(form, query.kind) };
  };
  return { name, manner, write };
}

/** The cases are measured in the very words in which they are published. */
function expressionOf({ condition }: BenchQuery): string {
  return (
    filterCases.find((filterCase) => filterCase.condition === condition)?.expression ??
    writeExpression(condition)
  );
}

/** Writes a condition in the engine's language. */
export function writeExpression(condition: Condition): string {
  switch (condition.is) {
    case 'equal':
      return `${selector(condition.path)} == ${operand(condition.value)}`;
    case 'unequal':
      return `${selector(condition.path)} != ${operand(condition.value)}`;
    case 'one-of':
      return condition.values.map((value) => `${selector(condition.path)} == ${literal(value)}`).join(' or ');
    case 'contains':
      return `${literal(condition.value)} in ${selector(condition.path)}`;
    case 'starts-with':
      return `${selector(condition.path)} matches ${literal(`^${condition.text}`)}`;
    case 'holds-any-case':
      return `${selector(condition.path)} matches ${literal(`(?i)${condition.text}`)}`;
    case 'empty':
      return `${selector(condition.path)} is empty`;
    case 'some':
      return `any ${selector(condition.path)} as tg { tg.${condition.field} == ${literal(condition.value)} }`;
    case 'both':
      return condition.of.map(group).join(' and ');
    case 'either':
      return condition.of.map(group).join(' or ');
  }
}

function group(condition: Condition): string {
  const text = writeExpression(condition);
  return condition.is === 'both' || condition.is === 'either' || condition.is === 'one-of'
    ? `(${text})`
    : text;
}

function selector(path: Path): string {
  const [first = '', ...rest] = path;
  return rest.reduce(
    (text, name) => text + (/^[A-Za-z]\w*$/.test(name) ? `.${name}` : `[${literal(name)}]`),
    first,
  );
}

function operand(value: string | number | boolean): string {
  // The language has no boolean literals: a bare word is its own text.
  return typeof value === 'boolean' ? String(value) : literal(value);
}
