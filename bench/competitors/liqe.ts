import { parse, test } from 'liqe';
import { literal, type Condition, type Path } from '../cases/condition.js';
import { CannotExpress, type Competitor, type Select } from './competitor.js';

/**
 * Lucene's query language. A quoted string matches inside the value, so `equal` finds too much if one value contains another;
 * among the values of the cases none does.
 */
export function createLiqe(): Competitor {
  const compile = (form: string): Select => {
    const query = parse(form);
    return (rows: readonly unknown[]): unknown[] => {
      const selected: unknown[] = [];
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] as object;
        if (test(query, row)) selected.push(row);
      }
      return selected;
    };
  };
  return {
    name: 'liqe',
    manner: 'walks the tree',
    write({ condition }) {
      const form = write(condition);
      return { form, compile: () => compile(form) };
    },
  };
}

function write(condition: Condition): string {
  switch (condition.is) {
    case 'equal':
      return `${read(condition.path)}:${operand(condition.value)}`;
    case 'unequal':
      return `NOT ${read(condition.path)}:${operand(condition.value)}`;
    case 'one-of':
      return condition.values.map((value) => `${read(condition.path)}:${literal(value)}`).join(' OR ');
    case 'contains':
      return `${read(condition.path)}:/^${condition.value}$/`;
    case 'starts-with':
      return `${read(condition.path)}:/^${condition.text}/`;
    case 'holds-any-case':
      return `${read(condition.path)}:/${condition.text}/i`;
    case 'empty':
      throw new CannotExpress('cannot ask whether an object has keys');
    case 'some':
      throw new CannotExpress('cannot look into the objects of a list');
    case 'both':
      return condition.of.map((part) => `(${write(part)})`).join(' AND ');
    case 'either':
      return condition.of.map((part) => `(${write(part)})`).join(' OR ');
  }
}

function operand(value: string | number | boolean): string {
  return typeof value === 'number' ? `=${value}` : literal(value);
}

function read(path: Path): string {
  if (path.some((name) => name.includes('.')))
    throw new CannotExpress('a path is cut at every dot, so a key with a dot has no name');
  return path.join('.');
}
