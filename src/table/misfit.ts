import { describe } from '../diagnostics/options.js';
import { describeType, type Type } from '../schema/type.js';
import { typeGuard } from '../schema/row-guard.js';
import { withArticle } from '../syntax/wording.js';
import { isRecord } from '../values/kind.js';

/** What is wrong with a value, and where. */
export interface Misfit {
  readonly path: string;
  readonly problem: string;
}

/** Deepest nesting that is looked into. */
const maxDepth = 500;

/** The first place, in the order of the schema, where a value is not of a type. Call it where it is not. */
export function findMisfit(type: Type, value: unknown, path = '', depth = 0): Misfit {
  const at = (inner: Type, element: unknown, place: string): Misfit | null =>
    typeGuard(inner)(element) ? null : findMisfit(inner, element, place, depth + 1);
  const here = { path, problem: `must be ${withArticle(describeType(type))}, not ${describe(value)}` };
  if (depth > maxDepth) return { path, problem: `is nested more than ${maxDepth} levels deep` };
  switch (type.kind) {
    case 'list':
    case 'array':
      if (!Array.isArray(value)) return here;
      for (let index = 0; index < value.length; index += 1) {
        const found = at(type.of, value[index], `${path}[${index}]`);
        if (found !== null) return found;
      }
      return type.kind === 'array' && value.length !== type.length
        ? { path, problem: `must have ${type.length} elements, not ${value.length}` }
        : here;
    case 'map':
      if (!isRecord(value)) return here;
      for (const [key, element] of Object.entries(value)) {
        const found = at(type.of, element, withName(path, key));
        if (found !== null) return found;
      }
      return here;
    case 'struct':
      if (!isRecord(value)) return here;
      for (const [property, field] of type.properties) {
        const element: unknown = Object.hasOwn(value, property)
          ? (value as Readonly<Record<string, unknown>>)[property]
          : null;
        const found = at(field.type, element, withName(path, property));
        if (found !== null) return found;
      }
      return here;
    default:
      return here;
  }
}

function withName(path: string, name: string): string {
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return path === '' ? name : `${path}.${name}`;
  return `${path}[${JSON.stringify(name)}]`;
}
