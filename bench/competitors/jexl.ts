import jexl from 'jexl';
import { literal, type Condition, type Path } from '../cases/condition.js';
import { CannotExpress, type Competitor, type Select } from './competitor.js';

export function createJexl(): Competitor {
  const engine = new jexl.Jexl();
  const compile = (form: string): Select => {
    const compiled = engine.compile(form);
    return (rows: readonly unknown[]): unknown[] => {
      const selected: unknown[] = [];
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index];
        if (compiled.evalSync(row) === true) selected.push(row);
      }
      return selected;
    };
  };
  return {
    name: 'jexl',
    manner: 'walks the tree; evalSync',
    write({ condition }) {
      const form = write(condition);
      return { form, compile: () => compile(form) };
    },
  };
}

function write(condition: Condition): string {
  switch (condition.is) {
    case 'equal':
      return `${read(condition.path)} == ${literal(condition.value)}`;
    case 'unequal':
      return `${read(condition.path)} != ${literal(condition.value)}`;
    case 'one-of':
      return `${read(condition.path)} in [${condition.values.map(literal).join(', ')}]`;
    case 'contains':
      return `${literal(condition.value)} in ${read(condition.path)}`;
    case 'starts-with':
    case 'holds-any-case':
      throw new CannotExpress('has neither patterns nor functions on texts');
    case 'empty':
      throw new CannotExpress('cannot tell an empty object from another');
    case 'some':
      // An empty list is truthy and has no length property, but as a string it is empty.
      return `${read(condition.path)}[.${condition.field} == ${literal(condition.value)}] + "" != ""`;
    case 'both':
      return condition.of.map((part) => `(${write(part)})`).join(' && ');
    case 'either':
      return condition.of.map((part) => `(${write(part)})`).join(' || ');
  }
}

function read([first = '', ...rest]: Path): string {
  return rest.reduce((text, name) => text + (name.includes('.') ? `[${literal(name)}]` : `.${name}`), first);
}
