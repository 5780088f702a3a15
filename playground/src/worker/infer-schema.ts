import type { FieldJSON, SchemaJSON, StructJSON, TypeJSON } from 'tamis';
import { Observation } from './observation.js';

/** A schema that all rows fit, as narrow as what they have lets it be. */
export function inferSchema(rows: Iterable<object>): SchemaJSON {
  const root = new Observation();
  for (const row of rows) root.take(row);
  return new SchemaWriter().write(root);
}

const plainName = /^[A-Za-z][A-Za-z0-9_]*$/;
/** A text is one of a few where each of them comes this often on average. */
const oftenEnough = 4;

class SchemaWriter {
  /** Without a prototype, as a struct may be called `__proto__`. */
  private readonly structs: Record<string, StructJSON> = Object.create(null) as Record<string, StructJSON>;

  write(root: Observation): SchemaJSON {
    return { root: this.struct(root, 'Row'), structs: this.structs };
  }

  /** Writes a struct down. Returns its name. */
  private struct(place: Observation, wish: string): string {
    let name = wish;
    for (let number = 2; name in this.structs; number += 1) name = `${wish}${number}`;
    const fields = Object.create(null) as Record<string, FieldJSON>;
    this.structs[name] = { fields };
    const taken = new Set([...place.fields.keys()].filter((key) => plainName.test(key)));
    for (const [key, field] of place.fields) {
      const type = this.type(field, key);
      fields[key] = plainName.test(key) ? type : { ...type, selectorName: selectorNameFor(key, taken) };
    }
    return name;
  }

  private type(place: Observation, wish: string): TypeJSON {
    const { values } = place;
    const scalar = scalarOf(place);
    const nullable = place.nulls > 0 ? { nullable: true } : {};
    if (scalar !== null) return { ...scalar, ...nullable };
    if (values > 0 && place.lists === values) return this.list(place.element, wish);
    if (values === 0 || place.objects !== values) return { kind: 'any' };
    const element = mapElementOf(place);
    if (element !== null) return { kind: 'map', of: element };
    return { kind: 'struct', name: this.struct(place, wish), ...nullable };
  }

  private list(element: Observation | null, wish: string): TypeJSON {
    return { kind: 'list', of: element === null ? { kind: 'any' } : this.type(element, wish) };
  }
}

/** A valid name in filters for a field with an invalid one, such as `First_Name` for `First Name`. */
function selectorNameFor(key: string, taken: Set<string>): string {
  const words = key.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  const wish = plainName.test(words) ? words : `field_${words}`;
  let name = wish;
  for (let number = 2; taken.has(name); number += 1) name = `${wish}_${number}`;
  taken.add(name);
  return name;
}

/** The kind of a place that has one kind of scalar; null for any other. */
function scalarOf(place: Observation): TypeJSON | null {
  const { values, bools, integers, negatives, fractions, unsigned, texts } = place;
  if (values === 0) return null;
  if (bools === values) return { kind: 'bool' };
  // No kind holds both.
  if (unsigned > 0 && negatives > 0) return null;
  if (integers === values) return { kind: unsigned > 0 ? 'uint' : 'int' };
  if (integers + fractions === values) return { kind: 'float64' };
  if (texts !== values) return null;
  const [form] = place.forms;
  if (form !== undefined) return { kind: form };
  const { choices } = place;
  if (choices === null || choices.size * oftenEnough > texts) return { kind: 'string' };
  return { kind: 'string', values: [...choices.keys()].sort() };
}

/**
 * What the values of a map are; null for an object that is better taken as a struct. A map has keys that come and go and
 * values of one kind; keys that are no plain names are data, too.
 */
function mapElementOf(place: Observation): TypeJSON | null {
  const { fields, objects } = place;
  if (fields.size === 0 || place.hasMoreFields) return { kind: 'any' };
  const hasFixedKey = [...fields.values()].some((field) => field.values + field.nulls === objects);
  const isNamed = [...fields.keys()].every((key) => plainName.test(key));
  if (isNamed && (hasFixedKey || objects === 1)) return null;
  const kinds = new Set([...fields.values()].map((field) => scalarOf(field)?.kind ?? null));
  const [kind] = kinds;
  const hasNull = [...fields.values()].some(({ nulls }) => nulls > 0);
  if (kinds.size === 1 && kind !== undefined && kind !== null)
    return { kind, ...(hasNull ? { nullable: true } : {}) };
  return isNamed ? null : { kind: 'any' };
}
