import { defineSchema, t, type SchemaJSON } from '../index.js';
import type { Type } from '../language/schema/type.js';
import { instanceKindOf, type InstanceKind } from '../language/values/instance/index.js';
import { isRecord } from '../language/values/kind.js';

/** Maximum nesting of inferred types. Deeper values may be anything. */
const maxDepth = 12;
/** Maximum number of fields of one object type. Objects with more distinct keys are maps. */
const maxFields = 500;
/** Maximum number of distinct values of an enumeration, and the minimum number of rows per value. */
const maxValues = 12;
const minRepetitions = 4;
/** Minimum number of objects for deciding that keys are data instead of names. */
const minObjects = 10;
/** Maximum fraction of objects that have the most common key of a map. */
const maxKeyShare = 0.5;

/** Kinds of strings that are proposed, in the order in which they are tried. */
const stringKinds: readonly { readonly type: Type; readonly instances: InstanceKind | null }[] = [
  t.time,
  t.time({ zone: 'UTC' }),
  t.version,
  t.ip,
  t.duration,
].map((type) => ({ type, instances: instanceKindOf(type) }));

/** What the rows have at one place. Its size depends on the schema, not on the number of rows. */
class Observed {
  private count = 0;
  private readonly kinds = new Set<string>();
  private isNullable = false;
  private candidates = stringKinds;
  private readonly values = new Set<string>();
  private fields = new Map<string, Observed>();
  /** Whether there are more keys than an object type may have. */
  private isMap = false;
  private element: Observed | null = null;

  constructor(private readonly depth: number) {}

  add(value: unknown): void {
    if (value === null) {
      this.isNullable = true;
      return;
    }
    this.count += 1;
    const kind = Array.isArray(value) ? 'list' : typeof value;
    this.kinds.add(kind === 'number' ? (Number.isSafeInteger(value) ? 'bigint' : 'float') : kind);
    if (typeof value === 'string') this.addString(value);
    else if (Array.isArray(value)) {
      this.element ??= new Observed(this.depth + 1);
      if (this.depth < maxDepth) for (const each of value) this.element.add(each);
    } else if (isRecord(value) && this.depth < maxDepth) this.addFields(value);
  }

  private addString(text: string): void {
    if (this.candidates.length > 0)
      this.candidates = this.candidates.filter(({ instances }) => instances?.read(text) !== null);
    if (this.values.size <= maxValues) this.values.add(text);
  }

  private addFields(value: object): void {
    for (const [name, each] of Object.entries(value)) {
      let field = this.isMap ? this.fields.get('') : this.fields.get(name);
      if (field === undefined) {
        if (this.fields.size === maxFields) this.becomeMap();
        field = new Observed(this.depth + 1);
        this.fields.set(this.isMap ? '' : name, field);
      }
      field.add(each);
    }
  }

  /** Keeps one observation of all values. Those so far are summarised by their fields' kinds. */
  private becomeMap(): void {
    this.isMap = true;
    const all = [...this.fields.values()].reduce((merged, field) => merged.merge(field));
    this.fields = new Map([['', all]]);
  }

  private merge(other: Observed): this {
    this.count += other.count;
    this.isNullable ||= other.isNullable;
    for (const kind of other.kinds) this.kinds.add(kind);
    this.candidates = this.candidates.filter((each) => other.candidates.includes(each));
    for (const value of other.values) if (this.values.size <= maxValues) this.values.add(value);
    for (const [name, field] of other.fields) {
      const own = this.fields.get(name);
      this.fields.set(name, own === undefined ? field : own.merge(field));
    }
    this.isMap ||= other.isMap;
    if (other.element !== null) this.element = this.element?.merge(other.element) ?? other.element;
    return this;
  }

  /** @param total number of places where there could have been a value */
  type(total: number): Type {
    const present = this.presentType();
    return this.isNullable || this.count < total ? t.nullable(present) : present;
  }

  private presentType(): Type {
    const [kind, other, more] = [...this.kinds].sort();
    if (kind === 'bigint' && other === 'float' && more === undefined) return t.float64;
    if (other !== undefined) return t.any;
    switch (kind) {
      case 'string':
        return this.stringType();
      case 'bigint':
        return t.int;
      case 'float':
        return t.float64;
      case 'boolean':
        return t.bool;
      case 'list':
        return t.list(this.element === null ? t.any : this.element.type(0));
      case 'object':
        return this.objectType();
      default:
        return t.any;
    }
  }

  private stringType(): Type {
    const [candidate] = this.candidates;
    if (candidate !== undefined) return candidate.type;
    const [first, ...others] = [...this.values].sort();
    const isEnumeration = this.values.size <= maxValues && this.count >= minRepetitions * this.values.size;
    return first === undefined || others.length === 0 || !isEnumeration
      ? t.string
      : t.oneOf(first, ...others);
  }

  private objectType(): Type {
    if (this.depth >= maxDepth) return t.any;
    const fields = [...this.fields];
    if (fields.length === 0) return t.map(t.any);
    const highest = Math.max(...fields.map(([, { count, isNullable }]) => count + Number(isNullable)));
    const isMap = this.isMap || (this.count >= minObjects && highest <= this.count * maxKeyShare);
    if (this.depth > 0 && isMap) {
      const [first, ...others] = fields.map(([, field]) => field) as [Observed, ...Observed[]];
      return t.map(others.reduce((merged, field) => merged.merge(field), first).type(0));
    }
    return t.struct(this.definitions());
  }

  /** The fields of an object type. */
  definitions(): Readonly<Record<string, Type>> {
    if (this.isMap) return {};
    return Object.fromEntries([...this.fields].map(([name, field]) => [name, field.type(this.count)]));
  }
}

/** Returns the schema that rows fit, open for other fields. Times, versions, addresses, durations and enumerations are proposed. */
export function inferSchema(rows: Iterable<object>): SchemaJSON {
  const all = new Observed(0);
  for (const row of rows) all.add(row);
  const { root, structs } = defineSchema(all.definitions()).toJSON();
  const open = Object.entries(structs).map(([name, struct]) => [name, { ...struct, open: true }]);
  return { root, structs: Object.fromEntries(open) as SchemaJSON['structs'] };
}
