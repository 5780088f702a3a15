import subscript from 'subscript/jessie';
import { literal, type Condition, type Path } from '../cases/condition.js';
import { CannotExpress, type Competitor, type Select } from './competitor.js';

/** The part of JavaScript that subscript calls jessie, which has arrow functions and patterns. */
export function createSubscript(): Competitor {
  const compile = (form: string): Select => {
    const test = subscript(form);
    return (rows: readonly unknown[]): unknown[] => {
      const selected: unknown[] = [];
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index];
        if (test(row)) selected.push(row);
      }
      return selected;
    };
  };
  return {
    name: 'subscript',
    manner: 'closures',
    write({ condition }) {
      const form = write(condition);
      return { form, compile: () => compile(form) };
    },
  };
}

function write(condition: Condition): string {
  switch (condition.is) {
    case 'equal':
      return `${read(condition.path)} === ${literal(condition.value)}`;
    case 'unequal':
      return `${read(condition.path)} !== ${literal(condition.value)}`;
    case 'one-of':
      return condition.values.map((value) => `${read(condition.path)} === ${literal(value)}`).join(' || ');
    case 'contains':
      return `${read(condition.path)}.includes(${literal(condition.value)})`;
    case 'starts-with':
      return `${read(condition.path)}.startsWith(${literal(condition.text)})`;
    case 'holds-any-case':
      return `/${condition.text}/i.test(${read(condition.path)})`;
    case 'empty':
      throw new CannotExpress('cannot ask for the keys of an object');
    case 'some':
      return `${read(condition.path)}.some(tg => tg.${condition.field} === ${literal(condition.value)})`;
    case 'both':
      return condition.of.map((part) => `(${write(part)})`).join(' && ');
    case 'either':
      return condition.of.map((part) => `(${write(part)})`).join(' || ');
  }
}

function read([first = '', ...rest]: Path): string {
  return rest.reduce((text, name) => text + (name.includes('.') ? `[${literal(name)}]` : `.${name}`), first);
}
