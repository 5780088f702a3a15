import { isScalarKind, unitsOf } from '../values/instance/index.js';
import { createSchema, type Schema } from './schema.js';
import { buildStruct } from './struct.js';
import type { Field, ScalarKind, ScalarType, StructType, Type } from './type.js';

/** Maximum nesting of types and structs. Prevents hostile schema files from exhausting the stack. */
const maxTypeDepth = 64;

/**
 * Returns the schema that a JSON document describes. Unknown keys are ignored, so that a file may carry notes of its own.
 *
 * @throws TypeError that names the place: `structs.Job.fields.Meta.of: unknown kind "txt"`.
 */
export function parseSchema(json: unknown): Schema {
  const file = requireObject(json, 'schema');
  const structs = requireObject(file.structs, 'structs');
  if (typeof file.root !== 'string') throw new TypeError('root: expected the name of a struct');
  return createSchema(new SchemaReader(structs).struct(file.root, 'root', 0));
}

/** Reads structs by name, each once, so that they may be recursive. */
class SchemaReader {
  private readonly done = new Map<string, StructType>();

  constructor(private readonly definitions: Readonly<Record<string, unknown>>) {}

  struct(name: string, where: string, depth: number): StructType {
    const known = this.done.get(name);
    if (known !== undefined) return known;
    if (!Object.hasOwn(this.definitions, name)) {
      throw new TypeError(`${where}: there is no struct ${JSON.stringify(name)}`);
    }
    // The maps are shared before they are complete, because a struct may contain itself.
    const fields = new Map<string, Field>();
    const properties = new Map<string, Field>();
    const definition = requireObject(this.definitions[name], `structs.${name}`);
    const struct: StructType = Object.freeze({
      ...{ kind: 'struct', name, fields, properties, nullDepth: 0 },
      ...readFlag('open', definition, `structs.${name}`),
    });
    this.done.set(name, struct);
    const built = buildStruct(name, this.fields(name, depth));
    for (const [key, field] of built.fields) fields.set(key, field);
    for (const [key, field] of built.properties) properties.set(key, field);
    return struct;
  }

  private fields(struct: string, depth: number): Field[] {
    const position = `structs.${struct}`;
    const fields = requireObject(
      requireObject(this.definitions[struct], position).fields,
      `${position}.fields`,
    );
    return Object.entries(fields).map(([name, json]) =>
      this.field(name, json, `${position}.fields.${name}`, depth),
    );
  }

  private field(property: string, json: unknown, position: string, depth: number): Field {
    const definition = requireObject(json, position);
    const { selectorName } = definition;
    if (selectorName !== undefined && typeof selectorName !== 'string') {
      throw new TypeError(`${position}.selectorName: expected text`);
    }
    const type = this.type(definition, position, depth + 1);
    return Object.freeze({
      name: selectorName ?? property,
      property,
      type,
      hidden: definition.hidden === true,
    });
  }

  private type(json: unknown, position: string, depth: number): Type {
    if (depth > maxTypeDepth) throw new TypeError(`${position}: types may be nested ${maxTypeDepth} deep`);
    const definition = requireObject(json, position);
    const type = this.plainType(definition, position, depth);
    if (definition.annotations === undefined) return type;
    const annotations = requireObject(definition.annotations, `${position}.annotations`);
    return Object.freeze({ ...type, annotations: Object.freeze({ ...annotations }) });
  }

  private plainType(definition: Readonly<Record<string, unknown>>, position: string, depth: number): Type {
    const nullDepth = readNullDepth(definition, position);
    const { kind } = definition;
    if (kind === 'string' && definition.values !== undefined) {
      return Object.freeze({ kind, nullDepth, values: readTexts(definition, 'values', position) });
    }
    if (kind === 'any') return Object.freeze({ kind, nullDepth });
    if (isScalarKind(kind))
      return Object.freeze({ kind, ...readDetail(kind, definition, position), nullDepth });
    if (kind === 'struct') return this.namedStruct(definition, position, nullDepth, depth);
    if (kind !== 'list' && kind !== 'array' && kind !== 'map') {
      throw new TypeError(`${position}: unknown kind ${JSON.stringify(kind)}`);
    }
    const of = this.type(definition.of, `${position}.of`, depth + 1);
    if (kind === 'list') return Object.freeze({ kind, of, nullDepth });
    if (kind === 'array')
      return Object.freeze({ kind, of, length: readLength(definition, position), nullDepth });
    const key = definition.key ?? 'string';
    const textKeys = key === 'string' && definition.keyNamed === undefined;
    const map = { kind, of, textKeys, integerKeys: key === 'int' || key === 'uint', nullDepth } as const;
    if (definition.keys === undefined) return Object.freeze(map);
    return Object.freeze({ ...map, keys: readTexts(definition, 'keys', position) });
  }

  private namedStruct(
    definition: Readonly<Record<string, unknown>>,
    position: string,
    nullDepth: number,
    depth: number,
  ): StructType {
    if (typeof definition.name !== 'string')
      throw new TypeError(`${position}.name: expected the name of a struct`);
    const struct = this.struct(definition.name, position, depth);
    return nullDepth === 0 ? struct : Object.freeze({ ...struct, nullDepth });
  }
}

/** Reads the unit of a time, a duration or bytes, the zone of a time, whether addresses have ports, and whether integers are safe. */
function readDetail(
  kind: ScalarKind,
  definition: Readonly<Record<string, unknown>>,
  position: string,
): Pick<ScalarType, 'unit' | 'port' | 'safe' | 'zone'> {
  if (kind === 'ip') return readFlag('port', definition, position);
  if (kind === 'int' || kind === 'uint') return readFlag('safe', definition, position);
  const { unit, zone } = definition;
  if (zone !== undefined) {
    if (kind !== 'time' || zone !== 'UTC' || unit !== undefined)
      throw new TypeError(`${position}.zone: expected "UTC", for a time without a unit`);
    return { zone };
  }
  const known = unitsOf(kind);
  if (known === null || (unit === undefined && !known.isNeeded)) return {};
  const { units } = known;
  const named = units.find((each) => each === unit);
  if (named === undefined) throw new TypeError(`${position}.unit: expected one of ${units.join(', ')}`);
  return { unit: named };
}

function readFlag<Name extends 'port' | 'safe' | 'open'>(
  name: Name,
  definition: Readonly<Record<string, unknown>>,
  position: string,
): Partial<Record<Name, true>> {
  const value = definition[name];
  if (value !== undefined && typeof value !== 'boolean')
    throw new TypeError(`${position}.${name}: expected true or false`);
  return value === true ? ({ [name]: true } as Record<Name, true>) : {};
}

function readNullDepth(definition: Readonly<Record<string, unknown>>, position: string): number {
  const { pointers, nullable } = definition;
  if (pointers === undefined) return nullable === true ? 1 : 0;
  if (pointers !== 0 && pointers !== 1 && pointers !== 2)
    throw new TypeError(`${position}.pointers: expected 0, 1 or 2`);
  return pointers;
}

function readTexts(
  definition: Readonly<Record<string, unknown>>,
  name: 'values' | 'keys',
  position: string,
): readonly string[] {
  const texts = definition[name];
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) {
    throw new TypeError(`${position}.${name}: expected a list of texts`);
  }
  return Object.freeze([...texts]);
}

function readLength(definition: Readonly<Record<string, unknown>>, position: string): number {
  const { len } = definition;
  if (typeof len !== 'number' || !Number.isSafeInteger(len) || len < 0) {
    throw new TypeError(`${position}.len: expected a count`);
  }
  return len;
}

function requireObject(value: unknown, position: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${position}: expected an object`);
  }
  return value as Readonly<Record<string, unknown>>;
}
