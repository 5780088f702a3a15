import { elementsOf, memberOf, membersOf, type Located } from './json-document.js';

// The keywords of JSON Schema, each read with its own checks.

/** The combined constraints of a schema and its `allOf` parts on object properties. */
export interface ObjectParts {
  /** The schemas that each property must satisfy, by property name. The list is empty if only the name is known. */
  readonly properties: Map<string, Located[]>;
  readonly required: Set<string>;
  /** The schemas for properties with other names. */
  readonly rest: Located[];
}

/** Checks that a value is a schema. @throws TypeError if it is not. */
export function requireSchema({ value, position }: Located): void {
  const isSchema =
    typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
  if (!isSchema) throw new TypeError(`${position}: expected a schema, which is an object or a boolean`);
}

/** The valid names in `type`. */
const typeNames = ['string', 'boolean', 'integer', 'number', 'array', 'object', 'null'] as const;
export type TypeName = (typeof typeNames)[number];

/** Returns the names in `type`; none if it is omitted. */
export function typeNamesOf(located: Located): readonly TypeName[] {
  const type = memberOf(located, 'type');
  if (type.value === undefined) return [];
  return (Array.isArray(type.value) ? elementsOf(type) : [type]).map(({ value, position }) => {
    const name = typeNames.find((each) => each === value);
    if (name === undefined) throw new TypeError(`${position}: unknown type ${JSON.stringify(value)}`);
    return name;
  });
}

/** Returns the type that other keywords imply; null if they imply none. */
export function impliedName(located: Located): TypeName | null {
  const has = (keyword: string): boolean => memberOf(located, keyword).value !== undefined;
  if (['properties', 'additionalProperties', 'patternProperties'].some(has)) return 'object';
  return ['items', 'prefixItems'].some(has) ? 'array' : null;
}

/** Returns the allowed values, if they are listed; null if other values are allowed too. */
export function constantsOf(located: Located): readonly unknown[] | null {
  const constant = memberOf(located, 'const');
  if (constant.value !== undefined) return [constant.value];
  const values = memberOf(located, 'enum');
  return values.value === undefined ? null : elementsOf(values).map(({ value }) => value);
}

export function alternativesOf(located: Located): readonly Located[] | null {
  const anyOf = memberOf(located, 'anyOf');
  const alternatives = anyOf.value === undefined ? memberOf(located, 'oneOf') : anyOf;
  return alternatives.value === undefined ? null : elementsOf(alternatives);
}

/** Adds the constraints that a schema itself has on properties. */
export function collectParts(located: Located, { properties, required, rest }: ObjectParts): void {
  for (const [name, schema] of membersOf(memberOf(located, 'properties'))) {
    const schemas = properties.get(name);
    if (schemas === undefined) properties.set(name, [schema]);
    else schemas.push(schema);
  }
  const names = memberOf(located, 'required');
  // In draft 4, `required` is a boolean in the schema of the property.
  if (names.value !== undefined && typeof names.value !== 'boolean') {
    for (const { value, position } of elementsOf(names)) {
      if (typeof value !== 'string') throw new TypeError(`${position}: expected the name of a property`);
      required.add(value);
    }
  }
  const additional = memberOf(located, 'additionalProperties');
  const isOpen = additional.value === undefined || typeof additional.value === 'boolean';
  // An empty schema allows everything, like `true`.
  if (!isOpen && membersOf(additional).length > 0) rest.push(additional);
  for (const [, schema] of membersOf(memberOf(located, 'patternProperties'))) rest.push(schema);
}
