import { literal, type Condition, type Path } from '../cases/condition.js';

/**
 * Writes a condition in the Common Expression Language, which two competitors speak.
 *
 * @param ignoringCase the pattern with which the implementation finds a text in either case
 */
export function writeCel(condition: Condition, ignoringCase: (text: string) => string): string {
  const write = (part: Condition): string => `(${writeCel(part, ignoringCase)})`;
  switch (condition.is) {
    case 'equal':
      return `${read(condition.path)} == ${literal(condition.value)}`;
    case 'unequal':
      return `${read(condition.path)} != ${literal(condition.value)}`;
    case 'one-of':
      return condition.values.map((value) => `${read(condition.path)} == ${literal(value)}`).join(' || ');
    case 'contains':
      return `${literal(condition.value)} in ${read(condition.path)}`;
    case 'starts-with':
      return `${read(condition.path)}.startsWith(${literal(condition.text)})`;
    case 'holds-any-case':
      return `${read(condition.path)}.matches(${literal(ignoringCase(condition.text))})`;
    case 'empty':
      return `size(${read(condition.path)}) == 0`;
    case 'some':
      return `${read(condition.path)}.exists(tg, tg.${condition.field} == ${literal(condition.value)})`;
    case 'both':
      return condition.of.map(write).join(' && ');
    case 'either':
      return condition.of.map(write).join(' || ');
  }
}

function read([first = '', ...rest]: Path): string {
  return rest.reduce((text, name) => text + (name.includes('.') ? `[${literal(name)}]` : `.${name}`), first);
}
