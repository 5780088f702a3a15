import { checkSchema } from '../diagnostics/options.js';
import { isRecord } from '../values/kind.js';
import { ownValue } from '../values/own-property.js';
import type { RowOf } from './row.js';
import { scalarGuard } from './scalar-guard.js';
import type { Schema } from './schema.js';
import type { Field, StructType, Type } from './type.js';

/** Maximum nesting of a row. Prevents rows from exhausting the stack. */
const maxRowDepth = 500;

/** Objects already accepted, or being checked, as a struct. Needed only for recursive schemas. */
type Seen = Map<ReadonlyMap<string, Field>, Set<object>>;

/** Whether a value conforms to a type. `depth` is the number of enclosing values. */
type ValueGuard = (value: unknown, depth: number, seen: Seen | null) => boolean;

/**
 * Creates a type guard for values of unknown origin. It returns true only for a complete row of the schema: all fields present
 * and of their kinds, hidden ones included. Additional properties are allowed. Unlike a filter, it reads the whole row. It
 * rejects Map, Set and Date, which filters accept as data; `createIngest` converts them.
 *
 * ```ts
 * const isJob = isRowOf(jobs);
 * const running = values.filter(isJob).filter(filter.test); // of type Job[]
 * ```
 */
export function isRowOf<S extends Schema>(schema: S): (value: unknown) => value is RowOf<S> {
  checkSchema('isRowOf', schema);
  const maker = new GuardMaker();
  const guard = maker.guard(schema.root);
  const { isRecursive } = maker;
  return (value): value is RowOf<S> => guard(value, 0, isRecursive ? new Map() : null);
}

/** Creates guards, one for each struct, so that a struct may contain itself. */
class GuardMaker {
  /** Whether a struct contains itself. */
  isRecursive = false;
  private readonly structs = new Map<ReadonlyMap<string, Field>, ValueGuard>();
  private readonly open = new Set<ReadonlyMap<string, Field>>();

  guard(type: Type): ValueGuard {
    const present = this.present(type);
    return type.nullDepth === 0
      ? present
      : (value, depth, seen) => value === null || present(value, depth, seen);
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
        return scalarGuard(type);
    }
  }

  private elements(of: Type, length: number | null): ValueGuard {
    const guard = this.guard(of);
    return (value, depth, seen) => {
      if (!Array.isArray(value) || (length !== null && value.length !== length)) return false;
      // A loop, because `every` skips the holes of a sparse array.
      for (let index = 0; index < value.length; index += 1) {
        if (!guard(value[index], depth + 1, seen)) return false;
      }
      return true;
    };
  }

  private entries(of: Type): ValueGuard {
    const guard = this.guard(of);
    return (value, depth, seen) =>
      isRecord(value) && Object.values(value).every((element) => guard(element, depth + 1, seen));
  }

  private struct({ properties }: StructType): ValueGuard {
    const known = this.structs.get(properties);
    this.isRecursive ||= this.open.has(properties);
    if (known !== undefined) return known;
    const fields: { readonly property: string; readonly guard: ValueGuard }[] = [];
    const guard: ValueGuard = (value, depth, seen) => {
      if (!isRecord(value) || depth > maxRowDepth) return false;
      // An object that is already being checked is not checked again. Cyclic rows would never end otherwise.
      if (seen !== null && !addTo(seen, properties, value)) return true;
      return fields.every((field) => field.guard(readProperty(value, field.property), depth + 1, seen));
    };
    this.structs.set(properties, guard);
    this.open.add(properties);
    for (const { property, type, optional } of properties.values()) {
      const present = this.guard(type);
      const isOptional = optional === true;
      fields.push({
        property,
        guard: isOptional
          ? (field, depth, seen) => field === undefined || present(field, depth, seen)
          : present,
      });
    }
    this.open.delete(properties);
    return guard;
  }
}

/** Returns false if the object has been visited already. */
function addTo(seen: Seen, struct: ReadonlyMap<string, Field>, value: object): boolean {
  const objects = seen.get(struct) ?? new Set();
  if (objects.has(value)) return false;
  seen.set(struct, objects.add(value));
  return true;
}

/** Reads as filters do: getters of a class count, properties inherited by every object do not. */
function readProperty(container: object, property: string): unknown {
  if (property in Object.prototype) return ownValue(container, property);
  return (container as Readonly<Record<string, unknown>>)[property];
}
