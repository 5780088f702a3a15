import type { Intern } from './intern.js';
import type { Input, Row, Shape, StructShape } from './shape.js';

/**
 * Completes what was given to a row: every field is there, absent ones with the zero value of their kind. All rows of
 * a shape get the same fields in the same order, which is what makes them fast to filter.
 */
export function completeShape<S extends StructShape>(
  shape: S,
  given: Input<NoInfer<S>>,
  intern: Intern,
): Row<S> {
  return complete(shape, given, intern) as Row<S>;
}

/** The same where the compiler does not know the shape. */
export function completeObject(shape: StructShape, given: object, intern: Intern): object {
  return completeStruct(shape, given as Readonly<Record<string, unknown>>, intern);
}

function complete(shape: Shape, given: unknown, intern: Intern): unknown {
  if (given === undefined || given === null) return zeroOf(shape);
  switch (shape.kind) {
    case 'label':
      return intern(given as string);
    case 'list':
      return (given as readonly unknown[]).map((item) => complete(shape.of, item, intern));
    case 'map': {
      // Nothing is to be completed in texts, and maps of them may be large.
      if (shape.of.kind === 'string' && hasOnlyTexts(given)) return given;
      const entries = Object.entries(given as Readonly<Record<string, unknown>>);
      return Object.fromEntries(
        entries.map(([key, item]) => [intern(key), complete(shape.of, item, intern)]),
      );
    }
    case 'struct':
      return completeStruct(shape, given as Readonly<Record<string, unknown>>, intern);
    case 'nullable':
    case 'hidden':
      return complete(shape.of, given, intern);
    case 'time':
      return isZeroTime(given as string) ? null : given;
    case 'bytes':
      return given === '' ? null : given;
    default:
      return given;
  }
}

function hasOnlyTexts(map: object): boolean {
  for (const key in map)
    if (typeof (map as Readonly<Record<string, unknown>>)[key] !== 'string') return false;
  return true;
}

function zeroOf(shape: Shape): unknown {
  switch (shape.kind) {
    case 'string':
    case 'label':
      return '';
    case 'bool':
      return false;
    case 'int':
    case 'uint':
    case 'float':
      return 0;
    case 'struct':
      return copyTemplate(shape);
    case 'hidden':
      return zeroOf(shape.of);
    case 'time':
    case 'bytes':
    case 'any':
    case 'list':
    case 'map':
    case 'nullable':
      return null;
  }
}

const templates = new WeakMap<StructShape, object>();

/**
 * V8 turns an object into a slow dictionary when more than a dozen computed names are stored in it, and keeps the fast
 * layout when an object is spread. So each struct has a template, made fast by the JSON parser. Each of its numbers has
 * been a bigint once: that tells V8 that the field may hold anything, and rows with small, large and 64-bit integers
 * keep one layout between them.
 */
function copyTemplate(shape: StructShape): Record<string, unknown> {
  const known = templates.get(shape);
  if (known !== undefined) return { ...known };
  const zeros = Object.entries(shape.fields).map(([name, field]) => [name, zeroOf(field)]);
  const template = JSON.parse(JSON.stringify(Object.fromEntries(zeros))) as Record<string, unknown>;
  for (const [name, value] of Object.entries(template)) {
    if (typeof value !== 'number') continue;
    template[name] = 0n;
    template[name] = value;
  }
  templates.set(shape, template);
  return { ...template };
}

function completeStruct(
  shape: StructShape,
  given: Readonly<Record<string, unknown>>,
  intern: Intern,
): Record<string, unknown> {
  const row = copyTemplate(shape);
  for (const name of Object.keys(given)) {
    const field = shape.fields[name];
    if (field !== undefined) row[name] = complete(field, given[name], intern);
  }
  return row;
}

function isZeroTime(time: string): boolean {
  return time.startsWith('0001-01-01T00:00:00') && /^[.0]*(?:[Zz]|\+00:00)$/.test(time.slice(19));
}
