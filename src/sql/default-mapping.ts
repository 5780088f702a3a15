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
  checkSchema('defaultMapping', schema);
  const columns = [...schema.root.properties.values()].flatMap(
    ({ property, type, hidden }): [string, Column][] => {
      const column =
        hidden || property === '' || property.includes('\0') ? null : columnOf(property, type, dialect);
      return column === null ? [] : [[fieldPathText([property]), column]];
    },
  );
  return { dialect, table, columns: Object.fromEntries(columns) };
}

function columnOf(name: string, type: Type, dialect: DialectName): Column | null {
  if (type.nullDepth > 1) return null;
  if (type.kind === 'time' && type.unit === undefined)
    return dialect === 'sqlite' ? timeText(name) : timestamptz(name);
  if (type.kind === 'float32') return dialect === 'sqlite' ? null : real(name);
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
      if (dialect === 'duckdb') return array(name);
      const of = type.kind === 'list' ? storedTypeOf(type.of) : null;
      const isPlain = of === 'text' || of === 'integer' || of === 'float' || of === 'bool';
      return dialect === 'postgres' && isPlain ? array(name) : jsonb(name);
    }
    case 'map':
      return dialect === 'duckdb' ? map(name) : jsonb(name);
    case 'struct':
      return dialect === 'duckdb' ? struct(name) : jsonb(name);
    default:
      return null;
  }
}
