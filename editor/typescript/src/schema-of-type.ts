import {
  parseSchema,
  type FieldJSON,
  type Schema,
  type SchemaJSON,
  type StructJSON,
  type TypeJSON,
} from 'tamis';
import type ts from 'typescript';

/** Schemas by what they say: one that is made again keeps what is remembered of its filters. */
const known = new Map<string, Schema>();
const maxKnown = 1_000;

/** Deeper than a schema is written by hand; a type that holds itself ends here. */
const maxDepth = 32;

/**
 * The schema that a type of the compiler describes: the `Schema<Fields>` next to a filter. Null if it declares no fields, as for
 * one that was read at run time, and for any type that is not a schema.
 *
 * @param caller the type of the schema of callers: then the schema is that of the rules of a policy, which read hidden fields and
 * the field `caller`
 */
export function schemaOfType(
  checker: ts.TypeChecker,
  type: ts.Type,
  caller: ts.Type | null = null,
): Schema | null {
  const fields = fieldsOfSchema(checker, type);
  const callerFields = caller === null ? null : fieldsOfSchema(checker, caller);
  if (fields === null || (caller !== null && callerFields === null)) return null;
  const structs: Record<string, StructJSON> = {};
  const reader = new TypeReader(checker, structs, caller !== null);
  reader.addStruct('Row', fields, 0);
  if (callerFields !== null) {
    reader.addStruct('Caller', callerFields, 0);
    const ofCaller: FieldJSON = { kind: 'struct', name: 'Caller' };
    structs['Row'] = { fields: { ...structs['Row']?.fields, caller: ofCaller } };
  }
  const json: SchemaJSON = { root: 'Row', structs };
  const text = JSON.stringify(json);
  const found = known.get(text);
  if (found !== undefined) return found;
  try {
    const schema = parseSchema(json);
    if (known.size >= maxKnown) known.clear();
    known.set(text, schema);
    return schema;
  } catch (error) {
    // Types can say what no schema may: a name twice, or none at all.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The type of the fields of a schema; null for a type that is not a schema, and if they are unknown. */
function fieldsOfSchema(checker: ts.TypeChecker, type: ts.Type): ts.Type | null {
  const root = propertyType(checker, type, 'root');
  const fields = root === null ? null : argumentOf(checker, root);
  const isKnown = literalOf(checker, root, 'kind') === 'struct' && fields?.getStringIndexType() === undefined;
  return isKnown ? fields : null;
}

/** More structs than a schema has; a type that makes ever new ones ends here. */
const maxStructs = 2_000;

class TypeReader {
  /** The names of structs by the types of their fields: one that holds itself, or is held twice, is read once. */
  private readonly names = new Map<ts.Type, string>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly structs: Record<string, StructJSON>,
    private readonly withHidden: boolean,
  ) {}

  addStruct(name: string, fields: ts.Type, depth: number): void {
    const read: Record<string, FieldJSON> = {};
    for (const property of fields.getProperties()) {
      read[property.getName()] = this.field(this.checker.getTypeOfSymbol(property), depth);
    }
    this.structs[name] = { fields: read };
  }

  private field(definition: ts.Type, depth: number): FieldJSON {
    const special = propertyType(this.checker, definition, 'field');
    if (special === null) return this.type(definition, depth);
    const type = propertyType(this.checker, special, 'type');
    const name = literalOf(this.checker, special, 'name');
    return {
      ...(type === null ? unknownType : this.type(type, depth)),
      ...(!this.withHidden && literalOf(this.checker, special, 'hidden') === true && { hidden: true }),
      ...(typeof name === 'string' && { selectorName: name }),
    };
  }

  private type(type: ts.Type, depth: number): TypeJSON {
    const kind = literalOf(this.checker, type, 'kind');
    if (typeof kind !== 'string' || depth > maxDepth) return unknownType;
    const nullable = literalOf(this.checker, type, 'nullDepth') === 1 ? { nullable: true } : {};
    switch (kind) {
      case 'list':
      case 'map':
        return { kind, of: this.element(type, depth), ...nullable };
      case 'array':
        // The type does not contain its length.
        return { kind, of: this.element(type, depth), len: Number.MAX_SAFE_INTEGER };
      case 'struct':
        return { ...this.struct(type, depth), ...nullable };
      default: {
        const unit = literalOf(this.checker, type, 'unit');
        const values = textsOf(propertyType(this.checker, type, 'values'));
        return {
          kind: kind as TypeJSON['kind'],
          ...nullable,
          ...(typeof unit === 'string' && { unit: unit as NonNullable<TypeJSON['unit']> }),
          ...(kind === 'string' && values.length > 0 && { values }),
          // An address may have a port as far as its type shows.
          ...(kind === 'ip' && { port: true }),
        };
      }
    }
  }

  private element(type: ts.Type, depth: number): TypeJSON {
    const of = propertyType(this.checker, type, 'of');
    return of === null ? unknownType : this.type(of, depth + 1);
  }

  private struct(type: ts.Type, depth: number): TypeJSON {
    const fields = argumentOf(this.checker, type);
    if (fields === null || fields.getStringIndexType() !== undefined) return unknownType;
    const known = this.names.get(fields);
    if (known !== undefined) return { kind: 'struct', name: known };
    if (this.names.size >= maxStructs) return unknownType;
    const name = `Struct${this.names.size + 1}`;
    this.names.set(fields, name);
    this.addStruct(name, fields, depth + 1);
    return { kind: 'struct', name };
  }
}

const unknownType: TypeJSON = { kind: 'any' };

function propertyType(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type | null {
  const property = type.getProperty(name);
  return property === undefined ? null : checker.getNonNullableType(checker.getTypeOfSymbol(property));
}

/** What a property is, where its type is one text, number or truth value. */
function literalOf(
  checker: ts.TypeChecker,
  type: ts.Type | null,
  name: string,
): string | number | boolean | null {
  const property = type === null ? null : propertyType(checker, type, name);
  return property === null ? null : literalValue(checker, property);
}

/** What a type is, where it is one text, number or truth value. */
export function literalValue(checker: ts.TypeChecker, type: ts.Type): string | number | boolean | null {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  const text = checker.typeToString(type);
  return text === 'true' ? true : text === 'false' ? false : null;
}

/** The texts of a list whose elements are known; none where any may be. */
function textsOf(list: ts.Type | null): readonly string[] {
  const element = list?.getNumberIndexType();
  if (element === undefined) return [];
  const parts = element.isUnion() ? element.types : [element];
  return parts.every((part) => part.isStringLiteral())
    ? parts.map((part) => (part as ts.StringLiteralType).value)
    : [];
}

/** The fields of a `StructType<Fields>`, perhaps with other properties in addition. */
function argumentOf(checker: ts.TypeChecker, type: ts.Type): ts.Type | null {
  const parts = type.isIntersection() ? type.types : [type];
  for (const part of parts) {
    if (!('target' in part)) continue;
    const [first] = checker.getTypeArguments(part as ts.TypeReference);
    if (first !== undefined) return first;
  }
  return null;
}
