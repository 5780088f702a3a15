import { compileExpression } from 'filtrex';
import { caselessPattern, literal, type Condition, type Path } from '../cases/condition.js';
import { CannotExpress, type Competitor, type Select } from './competitor.js';

export function createFiltrex(): Competitor {
  const compile = (form: string): Select => {
    const test = compileExpression(form) as (row: unknown) => unknown;
    return (rows: readonly unknown[]): unknown[] => {
      const selected: unknown[] = [];
      // Compared with true, because a row that fails yields its error as a result.
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index];
        if (test(row) === true) selected.push(row);
      }
      return selected;
    };
  };
  return {
    name: 'filtrex',
    manner: 'generates code',
    write({ condition }) {
      const form = write(condition);
      return { form, compile: () => compile(form) };
    },
  };
}

function write(condition: Condition): string {
  switch (condition.is) {
    case 'equal':
      if (typeof condition.value === 'boolean')
        return `${condition.value ? '' : 'not '}${read(condition.path)}`;
      return `${read(condition.path)} == ${literal(condition.value)}`;
    case 'unequal':
      return `${read(condition.path)} != ${literal(condition.value)}`;
    case 'one-of':
      return condition.values.map((value) => `${read(condition.path)} == ${literal(value)}`).join(' or ');
    case 'contains':
      return `${literal(condition.value)} in ${read(condition.path)}`;
    case 'starts-with':
      return `${read(condition.path)} ~= ${literal(`^${condition.text}`)}`;
    case 'holds-any-case':
      return `${read(condition.path)} ~= ${literal(caselessPattern(condition.text))}`;
    case 'empty':
      throw new CannotExpress('its empty() knows texts and lists only');
    case 'some':
      throw new CannotExpress('cannot look into the objects of a list');
    case 'both':
      return condition.of.map((part) => `(${write(part)})`).join(' and ');
    case 'either':
      return condition.of.map((part) => `(${write(part)})`).join(' or ');
  }
}

function read(path: Path): string {
  return path
    .map((name) => (name.includes('.') ? `'${name}'` : name))
    .reverse()
    .join(' of ');
}
