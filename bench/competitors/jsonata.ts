import jsonata from 'jsonata';
import { literal, type Condition, type Path } from '../cases/condition.js';
import type { Competitor, Select } from './competitor.js';

/**
 * A query over the whole list: `$[...]`. Evaluation gives a promise, so a query for each row, the other way to use it,
 * would be slower still.
 */
export function createJsonata(): Competitor {
  const compile = (form: string): Select => {
    const expression = jsonata(form);
    return async (rows: readonly unknown[]): Promise<readonly unknown[]> => {
      const selected: unknown = await expression.evaluate(rows);
      // No result is undefined, and a single row is returned without an array.
      return Array.isArray(selected) ? selected : selected === undefined ? [] : [selected];
    };
  };
  return {
    name: 'jsonata',
    manner: 'walks the tree, asynchronously',
    write({ condition }) {
      const form = `$[${write(condition)}]`;
      return { form, compile: () => compile(form) };
    },
  };
}

function write(condition: Condition): string {
  switch (condition.is) {
    case 'equal':
      return `${read(condition.path)} = ${literal(condition.value)}`;
    case 'unequal':
      return `${read(condition.path)} != ${literal(condition.value)}`;
    case 'one-of':
      return `${read(condition.path)} in [${condition.values.map(literal).join(', ')}]`;
    case 'contains':
      return `${literal(condition.value)} in ${read(condition.path)}`;
    case 'starts-with':
      return `$contains(${read(condition.path)}, /^${condition.text}/)`;
    case 'holds-any-case':
      return `$contains(${read(condition.path)}, /${condition.text}/i)`;
    case 'empty':
      return `${read(condition.path)} = {}`;
    case 'some':
      return `${literal(condition.value)} in ${read(condition.path)}.${condition.field}`;
    case 'both':
      return condition.of.map((part) => `(${write(part)})`).join(' and ');
    case 'either':
      return condition.of.map((part) => `(${write(part)})`).join(' or ');
  }
}

function read(path: Path): string {
  return path.map((name) => (name.includes('.') ? `\`${name}\`` : name)).join('.');
}
