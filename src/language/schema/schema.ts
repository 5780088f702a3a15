import type { Unit } from '../values/instance/index.js';
import type { Annotations, Field, FieldDefinitions, StructType, Type } from './type.js';

/**
 * Describes one kind of row. Immutable; create one per kind of row and share it. `Fields` records the definition, so that `RowOf`
 * can derive the row type; a schema parsed at run time has no field types.
 */
export interface Schema<Fields extends FieldDefinitions = FieldDefinitions> {
  readonly root: StructType<Fields>;
  /** Returns the JSON form, which `parseSchema` parses. */
  toJSON(): SchemaJSON;
}

/** The JSON form of a schema: named structs, one of which is the row. */
export interface SchemaJSON {
  readonly root: string;
  readonly structs: Readonly<Record<string, StructJSON>>;
}

export interface StructJSON {
  readonly fields: Readonly<Record<string, FieldJSON>>;
  /** Whether rows may have other fields, which filters read by the kind of their values. */
  readonly open?: boolean;
}

export interface TypeJSON {
  readonly kind: Type['kind'];
  /** The element of a list, array or map. */
  readonly of?: TypeJSON;
  /** The kind of a map's keys; default `string`. Other keys can be looked up but not searched. */
  readonly key?: string;
  /** The name of a custom string type of the keys. Such keys cannot be searched either. */
  readonly keyNamed?: string;
  /** Known keys of a map. */
  readonly keys?: readonly string[];
  /** The length of an array. */
  readonly len?: number;
  /** The name of a struct in `structs`. */
  readonly name?: string;
  readonly nullable?: boolean;
  /** Number of pointers; 2 for a pointer to a pointer. */
  readonly pointers?: number;
  /** Unit of the integers of a time, a duration or bytes. */
  readonly unit?: Unit;
  /** Whether an `ip` may have a port. */
  readonly port?: boolean;
  /** The zone of a `time` whose strings may lack one. */
  readonly zone?: 'UTC';
  /** Whether an `int` or a `uint` is within ±(2^53 - 1). */
  readonly safe?: boolean;
  /** The known values of a `string`. */
  readonly values?: readonly string[];
  /** Annotations of the application. */
  readonly annotations?: Annotations;
}

export interface FieldJSON extends TypeJSON {
  /** The name in filters, if it differs from the property name. */
  readonly selectorName?: string;
  /** Whether the field is hidden from filters. */
  readonly hidden?: boolean;
}

export function createSchema<Fields extends FieldDefinitions>(root: StructType<Fields>): Schema<Fields> {
  return Object.freeze({
    root,
    toJSON() {
      const writer = new SchemaWriter();
      return { root: writer.name(root, 'Row'), structs: writer.structs };
    },
  });
}

/** Serialises structs, each once. A struct defined inline is named after its field. */
class SchemaWriter {
  // Without prototypes, so that a field may be called `__proto__`.
  readonly structs: Record<string, StructJSON> = Object.create(null);
  private readonly names = new Map<ReadonlyMap<string, Field>, string>();

  name(type: StructType, wish: string): string {
    const known = this.names.get(type.properties);
    if (known !== undefined) return known;
    const name = this.unusedName(type.name ?? wish);
    this.names.set(type.properties, name);
    const fields: Record<string, FieldJSON> = Object.create(null);
    this.structs[name] = { fields, ...(type.open === true ? { open: true } : {}) };
    for (const field of type.properties.values()) fields[field.property] = this.field(field);
    return name;
  }

  private unusedName(wish: string): string {
    let name = wish;
    for (let number = 2; Object.hasOwn(this.structs, name); number += 1) name = `${wish}${number}`;
    return name;
  }

  private field({ name, property, type, hidden }: Field): FieldJSON {
    return {
      ...this.type(type, property),
      ...(name === property ? {} : { selectorName: name }),
      ...(hidden ? { hidden } : {}),
    };
  }

  private type(type: Type, wish: string): TypeJSON {
    const { annotations } = type;
    return { ...this.plainType(type, wish), ...(annotations === undefined ? {} : { annotations }) };
  }

  private plainType(type: Type, wish: string): TypeJSON {
    const pointers =
      type.nullDepth === 0 ? {} : type.nullDepth === 1 ? { nullable: true } : { pointers: type.nullDepth };
    const { kind } = type;
    switch (kind) {
      case 'struct':
        return { kind, name: this.name(type, wish), ...pointers };
      case 'list':
        return { kind, of: this.type(type.of, wish), ...pointers };
      case 'array':
        return { kind, of: this.type(type.of, wish), len: type.length, ...pointers };
      case 'map': {
        const key = type.integerKeys ? { key: 'int' } : type.textKeys ? {} : { keyNamed: 'Key' };
        const keys = type.keys === undefined ? {} : { keys: type.keys };
        return { kind, of: this.type(type.of, wish), ...key, ...keys, ...pointers };
      }
      case 'string':
        return { kind, ...(type.values === undefined ? {} : { values: type.values }), ...pointers };
      case 'any':
        return { kind, ...pointers };
      default: {
        const { unit, port, zone, safe } = type;
        return {
          kind,
          ...(unit === undefined ? {} : { unit }),
          ...(port === undefined ? {} : { port }),
          ...(zone === undefined ? {} : { zone }),
          ...(safe === undefined ? {} : { safe }),
          ...pointers,
        };
      }
    }
  }
}
