import { completeObject } from '../model/complete-shape.js';
import { createIntern } from '../model/intern.js';
import type { Shape, StructShape } from '../model/shape.js';

/**
 * How rows are written down: a letter for the form, then JSON. JSON because the engine's own parser reads it several
 * times faster than any other format can be read in JavaScript, and because an operator can read it too.
 */
export interface RowFormat {
  write(table: string, row: object): string;
  /** @throws RowFormatError */
  read(table: string, text: string): object;
}

/** A text that is no row. */
export class RowFormatError extends Error {
  override readonly name = 'RowFormatError';
}

/** A row with all its fields. */
const whole = 'w';
/** A row of a known shape without the fields that hold the zero value of their kind. */
const packed = 'p';

/**
 * Rows of a table with a shape are packed, which keeps what the shape declares, and come back complete: the same
 * fields in the same order as rows that were just written, and labels shared. Rows of other tables are kept whole.
 */
export function createRowFormat(shapes: ReadonlyMap<string, StructShape>): RowFormat {
  const intern = createIntern();
  return {
    write(table, row) {
      const shape = shapes.get(table);
      return shape === undefined
        ? whole + JSON.stringify(tag(row))
        : packed + JSON.stringify(pack(shape, row) ?? {});
    },
    read(table, text) {
      const shape = shapes.get(table);
      switch (text[0]) {
        case whole:
          return readObject(text.slice(1));
        case packed:
          if (shape === undefined) throw new RowFormatError(`table ${table} has no shape to complete it by`);
          return completeObject(shape, readObject(text.slice(1)), intern);
        default:
          throw new RowFormatError('it has a form that this version does not know');
      }
    },
  };
}

function readObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RowFormatError('it is no JSON');
  }
  if (typeof value !== 'object' || value === null) throw new RowFormatError('it is no object');
  return text.includes(tagInText) ? (untag(value) as object) : value;
}

/**
 * JSON has no integers of 64 bits, so a bigint is a string: this character, then its digits. A string that begins with
 * the character itself gets it again, and an equals sign, in front. Names of fields are never tagged.
 */
const mark = '\0';
/** How a tagged string begins in JSON. Texts without it, which are most, need no second look. */
const tagInText = '"\\u0000';

function tagScalar(value: unknown): unknown {
  if (typeof value === 'bigint') return `${mark}${value}`;
  return typeof value === 'string' && value.startsWith(mark) ? `${mark}=${value}` : value;
}

function tag(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return tagScalar(value);
  if (Array.isArray(value)) return value.map(tag);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, tag(item)]));
}

/** Changes objects and lists in place: they were just parsed and nobody else has them. */
function untag(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? untagText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const item = fields[name];
    const plain = untag(item);
    // The parser made `__proto__` a field like any other, and a definition keeps it one.
    if (plain !== item) Object.defineProperty(fields, name, { value: plain });
  }
  return fields;
}

function untagText(text: string): unknown {
  if (text[1] === '=') return text.slice(2);
  const digits = text.slice(1);
  if (/^-?\d+$/.test(digits)) return BigInt(digits);
  throw new RowFormatError('it holds an integer without digits');
}

/** The value without what `completeObject` puts back; undefined when that is all of it. */
function pack(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'hidden':
      return pack(shape.of, value);
    case 'struct': {
      const given = packFields(shape, value as Readonly<Record<string, unknown>>);
      return Object.keys(given).length === 0 ? undefined : given;
    }
    case 'bool':
      return value === true ? true : undefined;
    case 'int':
    case 'uint':
    case 'float':
      return value === 0 ? undefined : tagScalar(value);
    case 'string':
    case 'label':
      return value === '' ? undefined : tagScalar(value);
    default:
      return value === null ? undefined : packPresent(shape, value);
  }
}

/** The same for a value whose absence would mean something else: an element, an entry, what may be null and is not. */
function packPresent(shape: Shape, value: unknown): unknown {
  if (value === null) return null;
  switch (shape.kind) {
    case 'nullable':
    case 'hidden':
      return packPresent(shape.of, value);
    case 'struct':
      return packFields(shape, value as Readonly<Record<string, unknown>>);
    case 'list':
      return (value as readonly unknown[]).map((item) => packPresent(shape.of, item));
    case 'map':
      return Object.fromEntries(
        Object.entries(value as object).map(([key, item]) => [key, packPresent(shape.of, item)]),
      );
    case 'any':
      return tag(value);
    default:
      return tagScalar(value);
  }
}

function packFields(shape: StructShape, value: Readonly<Record<string, unknown>>): object {
  const given: Record<string, unknown> = {};
  for (const name of fieldNames(shape)) {
    const field = shape.fields[name];
    const item = value[name];
    if (field === undefined || item === undefined) continue;
    const kept = pack(field, item);
    if (kept !== undefined) given[name] = kept;
  }
  return given;
}

const knownNames = new WeakMap<StructShape, readonly string[]>();

function fieldNames(shape: StructShape): readonly string[] {
  const known = knownNames.get(shape);
  if (known !== undefined) return known;
  const names = Object.keys(shape.fields);
  knownNames.set(shape, names);
  return names;
}
