import { fitsInt64 } from '../values/go-number.js';
import { ownValue } from '../values/own-property.js';
import type { RowOf } from './row.js';
import type { Schema } from './schema.js';
import type { Field, ScalarKind, StructType, Type } from './type.js';

/** Deepest nesting of a row that is followed. Only a schema that contains itself meets rows that go on for ever. */
const maxRowDepth = 500;

/** Whether a value is one of a type. `depth` is how many values stand around it. */
type ValueGuard = (value: unknown, depth: number) => boolean;

/**
 * A test for values of unknown origin: true only for a whole row of the schema, all its fields there and of their kinds,
 * hidden ones included. Further properties do not matter. It reads the whole row, unlike a filter.
 *
 * ```ts
 * const isJob = isRowOf(jobs);
 * const running = JSON.parse(text).filter(isJob).filter(filter.test); // of type Job[]
 * ```
 */
export function isRowOf<S extends Schema>(schema: S): (value: unknown) => value is RowOf<S> {
  const guard = new GuardMaker().guard(schema.root);
  return (value): value is RowOf<S> => guard(value, 0);
}

/** Makes guards, one for each struct, so that a struct may contain itself. */
class GuardMaker {
  private readonly structs = new Map<ReadonlyMap<string, Field>, ValueGuard>();

  guard(type: Type): ValueGuard {
    const present = this.present(type);
    return type.pointers === 0 ? present : (value, depth) => value === null || present(value, depth);
  }

  private present(type: Type): ValueGuard {
    switch (type.kind) {
      case 'any':
        return () => true;
      case 'list':
        return this.elements(type.of, null);
      case 'array':
        return this.elements(type.of, type.length);
      case 'map':
        return this.entries(type.of);
      case 'struct':
        return this.struct(type);
      default:
        return scalarGuards[type.kind];
    }
  }

  private elements(of: Type, length: number | null): ValueGuard {
    const guard = this.guard(of);
    return (value, depth) => {
      if (!Array.isArray(value) || (length !== null && value.length !== length)) return false;
      // A loop, because `every` passes over the holes of a sparse array.
      for (let index = 0; index < value.length; index += 1) {
        if (!guard(value[index], depth + 1)) return false;
      }
      return true;
    };
  }

  private entries(of: Type): ValueGuard {
    const guard = this.guard(of);
    return (value, depth) =>
      isObject(value) && Object.values(value).every((element) => guard(element, depth + 1));
  }

  private struct({ properties }: StructType): ValueGuard {
    const known = this.structs.get(properties);
    if (known !== undefined) return known;
    const fields: { readonly property: string; readonly guard: ValueGuard }[] = [];
    const guard: ValueGuard = (value, depth) => {
      if (!isObject(value) || depth > maxRowDepth) return false;
      return fields.every((field) => field.guard(readProperty(value, field.property), depth + 1));
    };
    this.structs.set(properties, guard);
    for (const { property, type } of properties.values()) fields.push({ property, guard: this.guard(type) });
    return guard;
  }
}

/** As filters read: from a getter of a class too, but nothing that every object inherits. */
function readProperty(holder: object, property: string): unknown {
  if (property in Object.prototype) return ownValue(holder, property);
  return (holder as Readonly<Record<string, unknown>>)[property];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const maxUint64 = 2n ** 64n - 1n;

const isText: ValueGuard = (value) => typeof value === 'string';
const isNumber: ValueGuard = (value) => typeof value === 'number';

const scalarGuards: Readonly<Record<ScalarKind, ValueGuard>> = {
  string: isText,
  time: isText,
  bool: (value) => typeof value === 'boolean',
  int: (value) => (typeof value === 'bigint' ? fitsInt64(value) : Number.isSafeInteger(value)),
  uint: (value) =>
    typeof value === 'bigint'
      ? value >= 0n && value <= maxUint64
      : Number.isSafeInteger(value) && Number(value) >= 0,
  float32: isNumber,
  float64: isNumber,
};
