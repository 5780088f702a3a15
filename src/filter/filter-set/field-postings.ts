import { pathOfFields } from '../../language/schema/field-path.js';
import { findFieldIndex, traitsOf, type FieldIndex } from '../compile/frame/field-index.js';
import { propertyReader } from '../compile/frame/indexed-field.js';
import { findOrderedIndex, orderTraitsOf, type OrderedIndex } from '../compile/frame/ordered-index.js';
import type { PlannedIndex, PlannedOrder } from '../compile/plan.js';
import type { Schema } from '../../language/schema/schema.js';
import type { Field, StructType, Type } from '../../language/schema/type.js';
import type { IndexKey } from '../compile/frame/key-range.js';
import { createFieldGuard, isLong, type FieldGuard } from './field-guard.js';
import { KeyPostings, RangePostings, type Postings } from './postings.js';

/** The data that a set stores about one field of its rows. */
export interface SetField<Item extends object> {
  readonly keyed: (PlannedIndex & { readonly postings: KeyPostings<Item> }) | null;
  readonly ordered: (PlannedOrder & { readonly postings: RangePostings<Item> }) | null;
  readonly guard: FieldGuard;
  /** Like `guard`, but rejects a row whose field is absent or null. */
  readonly presence: FieldGuard;
}

/** Returns the fields of a schema by filter name. `ofNull` contains the keys of a row that is null at a nullable field. */
export function fieldsOfSet<Item extends object>(
  schema: Schema,
  ofNull: readonly never[] | null,
): ReadonlyMap<string, SetField<Item>> {
  const fields = new Map<string, SetField<Item>>();
  for (const field of schema.root.fields.values()) {
    const present = presentField(field);
    const path = pathOfFields([present]);
    const index = findFieldIndex(schema, path);
    const order = findOrderedIndex(schema, path);
    const read = propertyReader(field.property);
    const isShort: FieldGuard = index?.isMultiple === true ? (row) => !isLong(read(row)) : () => true;
    const keysIn = <Keys extends readonly IndexKey[]>(
      keysOf: (row: unknown) => Keys | null,
    ): typeof keysOf =>
      present === field
        ? keysOf
        : (row) => ((read(row) ?? null) === null ? (ofNull as Keys | null) : keysOf(row));
    const number = fields.size * 2;
    fields.set(field.name, {
      keyed:
        index === null
          ? null
          : plannedIndex(number, index, keysIn(index.keysOf), isShort, varietyOf(field.type)),
      ordered: order === null ? null : plannedOrder(number + 1, order, keysIn(order.keysOf)),
      guard: createFieldGuard(field),
      presence: createFieldGuard(field, true),
    });
  }
  return fields;
}

/** Returns the type of rows without null in any of their own fields. */
export function presentRoot(root: StructType): StructType {
  return { ...root, fields: new Map([...root.fields].map(([name, field]) => [name, presentField(field)])) };
}

function presentField(field: Field): Field {
  return field.type.nullDepth === 1 ? { ...field, type: { ...field.type, nullDepth: 0 } } : field;
}

/** Returns the postings that contain filters. */
export function postingsOf<Item extends object>(fields: Iterable<SetField<Item>>): readonly Postings<Item>[] {
  const found: Postings<Item>[] = [];
  for (const { keyed, ordered } of fields) {
    if (keyed !== null) found.push(keyed.postings);
    if (ordered !== null) found.push(ordered.postings);
  }
  return found;
}

/** Returns the number of distinct values of a type; null if it is unbounded. */
function varietyOf(type: Type): number | null {
  const of = type.kind === 'list' ? type.of : type;
  if (of.kind === 'bool') return 2;
  return 'values' in of && of.values !== undefined ? Math.max(of.values.length, 2) : null;
}

function plannedIndex<Item extends object>(
  number: number,
  index: FieldIndex,
  keysOf: FieldIndex['keysOf'],
  isShort: FieldGuard,
  variety: number | null,
): SetField<Item>['keyed'] {
  const traits = traitsOf(index);
  if (traits === null) return null;
  const postings = new KeyPostings<Item>(
    number,
    index.field,
    (row) => (isShort(row) ? keysOf(row) : null),
    variety,
  );
  return { ...traits, index, postings };
}

function plannedOrder<Item extends object>(
  number: number,
  index: OrderedIndex,
  keysOf: OrderedIndex['keysOf'],
): SetField<Item>['ordered'] {
  const traits = orderTraitsOf(index);
  if (traits === null) return null;
  return { ...traits, index, postings: new RangePostings(number, index.field, keysOf, index.compare) };
}
