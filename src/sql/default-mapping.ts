import { checkSchema } from '../language/diagnostics/options.js';
import type { Schema } from '../language/schema/schema.js';
import type { Type } from '../language/schema/type.js';
import {
  array,
  bool,
  float,
  int,
  jsonb,
  map,
  real,
  struct,
  text,
  timestamptz,
  timeText,
  type Column,
} from './column.js';
import { fieldPathText } from '../language/syntax/field-path.js';
import type { DialectName } from './dialect.js';
import type { TableMapping } from './mapping.js';
import { storedTypeOf } from './column-access.js';

/**
 * Returns a mapping with one nullable column per property, with the property's name and the matching column type of the dialect.
 * Use it to inspect statements, or for tables with this layout. Hidden fields and unsupported types have no column.
 */
export function defaultMapping(schema: Schema, dialect: DialectName, table: string): TableMapping {
  const columns = defaultColumns(schema, {
    isNative: dialect === 'duckdb',
    instant: dialect === 'sqlite' ? timeText : timestamptz,
    json: jsonb,
    ...(dialect === 'sqlite' ? {} : { real }),
    ...(dialect === 'postgres' ? { array } : {}),
  });
  return { dialect, table, columns };
}

/** The column types of a dialect. */
interface Makers {
  /** Whether lists, maps and structs are types of the engine. */
  readonly isNative: boolean;
  readonly instant: (name: string) => Column;
  readonly json: (name: string) => Column;
  readonly real?: (name: string) => Column;
  /** Lists of single values, if they are a type of the engine. */
  readonly array?: (name: string) => Column;
}

/** Returns one nullable column per property. */
export function defaultColumns(schema: Schema, makers: Makers): Readonly<Record<string, Column>> {
  checkSchema('defaultMapping', schema);
  const columns = [...schema.root.properties.values()].flatMap(
    ({ property, type, hidden }): [string, Column][] => {
      const column =
        hidden || property === '' || property.includes('\0') ? null : columnOf(property, type, makers);
      return column === null ? [] : [[fieldPathText([property]), column]];
    },
  );
  return Object.fromEntries(columns);
}

function columnOf(
  name: string,
  type: Type,
  { isNative, instant, json, real: realOf, array: arrayOf }: Makers,
): Column | null {
  if (type.nullDepth > 1) return null;
  if (type.kind === 'time' && type.unit === undefined) return instant(name);
  if (type.kind === 'float32') return realOf?.(name) ?? null;
  const stored = storedTypeOf(type);
  switch (stored) {
    case 'text':
      return text(name);
    case 'integer':
      return int(name);
    case 'float':
      return float(name);
    case 'bool':
      return bool(name);
    case 'list': {
      if (isNative) return array(name);
      const of = type.kind === 'list' ? storedTypeOf(type.of) : null;
      const isPlain = of === 'text' || of === 'integer' || of === 'float' || of === 'bool';
      return (isPlain ? arrayOf?.(name) : undefined) ?? json(name);
    }
    case 'map':
      return isNative ? map(name) : json(name);
    case 'struct':
      return isNative ? struct(name) : json(name);
    default:
      return null;
  }
}
