import type { Field } from './fields.js';

/** A property of a stored object: its field in requests, the type of that field, and the value of the property until it is set. */
type Property = readonly [name: string, field: Field<unknown>, initial: unknown];
type Properties = Readonly<Record<string, Property>>;
type ValueOf<P extends Property> = P[1] extends Field<infer Value> ? Value : never;
type FieldsOf<P extends Properties> = { readonly [K in keyof P as P[K][0]]: P[K][1] };

/** The object as it is stored. */
export type ObjectOf<P extends Properties> = { readonly [K in keyof P]: ValueOf<P[K]> };

/** Declares an object that clients write and read field by field. */
export function storedObject<const P extends Properties>(
  properties: P & { readonly [K in keyof P]: readonly [string, Field<unknown>, ValueOf<P[K]>] },
) {
  const rows = Object.entries<Property>(properties);
  return {
    /** The fields of requests, by name. */
    fields: Object.fromEntries(rows.map(([, [name, field]]) => [name, field])) as FieldsOf<P>,
    /** The object in which nothing has been set. */
    initial: Object.fromEntries(rows.map(([key, [, , initial]]) => [key, initial])) as ObjectOf<P>,
    /** Returns the object after a write of these values, as `readFields` returns them. Fields that were not sent keep theirs. */
    merge: (base: ObjectOf<P>, values: Readonly<Record<string, unknown>>): ObjectOf<P> =>
      Object.fromEntries(rows.map(([key, [name]]) => [key, values[name] ?? base[key]])) as ObjectOf<P>,
    /** Returns the object as fields of a response. */
    data: (object: ObjectOf<P>): Readonly<Record<string, unknown>> =>
      Object.fromEntries(rows.map(([key, [name]]) => [name, object[key]])),
  };
}
