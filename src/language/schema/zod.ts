import { describe } from '../diagnostics/options.js';
import type { FieldsOf } from './fields-of.js';
import { structOfJSONSchema, type JSONSchemaLimits } from './json-schema.js';
import { createSchema, type Schema } from './schema.js';

/** The parts of a Zod 4 schema that are read. Structural, so that this package does not depend on Zod. */
export interface ZodType<Output = unknown> {
  readonly _zod: {
    readonly output: Output;
    readonly optout?: 'optional' | undefined;
    readonly def: { readonly type: string };
  };
}

/** The definition of a Zod schema. Which members exist depends on the type. */
interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly format?: string } } }[];
  readonly shape?: Readonly<Record<string, ZodType>>;
  readonly catchall?: ZodType;
  readonly element?: ZodType;
  readonly items?: readonly ZodType[];
  readonly rest?: ZodType | null;
  readonly keyType?: ZodType;
  readonly valueType?: ZodType;
  readonly options?: readonly ZodType[];
  readonly left?: ZodType;
  readonly right?: ZodType;
  readonly innerType?: ZodType;
  readonly in?: ZodType;
  readonly out?: ZodType;
  readonly getter?: () => ZodType;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string | number>>;
}

type JSONSchema = Readonly<Record<string, unknown>>;

const maxDepth = 64;
const { MAX_SAFE_INTEGER: maxSafe } = Number;

/**
 * Returns the schema of the rows that a Zod 4 object schema (also of `zod/mini`) describes: of its output, after defaults and
 * pipes. `z.int()` is a safe integer, `z.bigint()` an integer, `z.date()` a time; `z.optional` and `z.nullable` are nullable;
 * unions of literals are strings with known values; other unions of several kinds may be anything.
 *
 * ```ts
 * const users = fromZod(z.object({ age: z.int(), createdAt: z.date(), email: z.string().optional() }));
 * ```
 *
 * @throws TypeError that names the place of a type that filters cannot read, such as `z.custom()` or `z.transform()`.
 */
export function fromZod<Z extends ZodType>(
  schema: Z,
  limits: JSONSchemaLimits = {},
): Schema<FieldsOf<Z['_zod']['output']>> {
  const json = new ZodReader().document(schema);
  if (json['type'] !== undefined && json['type'] !== 'object')
    fail(
      '',
      `must be an object, such as z.object({ id: z.string() }), got z.${definitionOf(schema, '').type}()`,
    );
  return createSchema(structOfJSONSchema('fromZod', json, limits)) as never;
}

/** Converts Zod schemas to a JSON Schema. Objects and lazy schemas become definitions, because they may contain themselves. */
class ZodReader {
  private readonly definitions: Record<string, JSONSchema> = {};
  private readonly references = new Map<ZodType, JSONSchema>();

  document(schema: ZodType): JSONSchema {
    const row = this.read(schema, '', 0);
    return { ...row, $defs: this.definitions };
  }

  private read(schema: ZodType, path: string, depth: number): JSONSchema {
    const definition = definitionOf(schema, path);
    if (depth > maxDepth) fail(path, `is nested more than ${maxDepth} levels deep`);
    if (definition.type !== 'object' && definition.type !== 'lazy')
      return this.inline(definition, path, depth);
    const known = this.references.get(schema);
    if (known !== undefined) return known;
    const name = `Object${this.references.size + 1}`;
    const reference = { $ref: `#/$defs/${name}` };
    this.references.set(schema, reference);
    this.definitions[name] = this.inline(definition, path, depth);
    return reference;
  }

  private inline(definition: Definition, path: string, depth: number): JSONSchema {
    const inner = (schema: unknown, at: string): JSONSchema => this.read(schema as ZodType, at, depth + 1);
    const { type } = definition;
    const formats = [definition.format, ...(definition.checks ?? []).map((check) => check._zod.def.format)];
    switch (type) {
      case 'string':
        return { type, ...stringFormats.find(({ zod }) => formats.includes(zod))?.json };
      case 'number': {
        const isInteger = formats.some((format) => format !== undefined && integerFormats.has(format));
        return isInteger ? { type: 'integer', minimum: -maxSafe, maximum: maxSafe } : { type };
      }
      case 'bigint':
        return { type: 'integer', format: formats.includes('uint64') ? 'uint64' : 'int64' };
      case 'boolean':
      case 'success':
        return { type: 'boolean' };
      case 'date':
        return { type: 'string', format: 'date-time' };
      case 'template_literal':
        return { type: 'string' };
      case 'null':
      case 'undefined':
        return { type: 'null' };
      case 'any':
      case 'unknown':
        return {};
      case 'literal':
        return { enum: (definition.values ?? []).map((value) => value ?? null) };
      case 'enum':
        return { enum: enumValues(definition.entries ?? {}) };
      case 'object':
        return this.object(definition, path, inner);
      case 'array':
        return { type, items: inner(definition.element, `${path}[]`) };
      case 'set':
        return { type: 'array', items: inner(definition.valueType, `${path}[]`) };
      case 'tuple': {
        const { items = [], rest } = definition;
        const all = rest === null || rest === undefined ? items : [...items, rest];
        return { type: 'array', prefixItems: all.map((item, index) => inner(item, `${path}[${index}]`)) };
      }
      case 'record':
      case 'map': {
        const key = inner(definition.keyType, `${path}[key]`);
        if (key['type'] !== 'string' && !(Array.isArray(key['enum']) && key['enum'].every(isString)))
          fail(path, `is z.${type}() with keys that are not strings, which rows cannot have`);
        return { type: 'object', additionalProperties: inner(definition.valueType, `${path}.*`) };
      }
      case 'union':
        return { anyOf: (definition.options ?? []).map((option) => inner(option, path)) };
      case 'intersection':
        return { allOf: [inner(definition.left, path), inner(definition.right, path)] };
      case 'optional':
      case 'nullable':
        return { anyOf: [inner(definition.innerType, path), { type: 'null' }] };
      case 'default':
      case 'prefault':
      case 'nonoptional': {
        // These exclude a missing value, so that the type is not nullable.
        const own = definitionOf(definition.innerType, path);
        return inner(own.type === 'optional' ? own.innerType : definition.innerType, path);
      }
      case 'catch':
      case 'readonly':
        return inner(definition.innerType, path);
      case 'lazy':
        return inner(definition.getter?.(), path);
      case 'pipe':
        return inner(definition.out, path);
      default:
        return fail(
          path,
          `is z.${type}(), whose values filters cannot read. ${hints[type] ?? 'Use z.any()'}`,
        );
    }
  }

  private object(
    { shape = {}, catchall }: Definition,
    path: string,
    inner: (schema: unknown, at: string) => JSONSchema,
  ): JSONSchema {
    const names = Object.keys(shape);
    const properties = names.map((name) => [
      name,
      inner(shape[name], path === '' ? name : `${path}.${name}`),
    ]);
    const rest = catchall?._zod.def.type;
    const isClosed = rest === undefined || rest === 'never' || rest === 'unknown';
    return {
      type: 'object',
      properties: Object.fromEntries(properties) as unknown,
      required: names.filter((name) => shape[name]?._zod.optout !== 'optional'),
      ...(isClosed ? {} : { additionalProperties: inner(catchall, `${path}.*`) }),
    };
  }
}

const stringFormats = [
  { zod: 'datetime', json: { format: 'date-time' } },
  { zod: 'ipv4', json: { format: 'ipv4' } },
  { zod: 'ipv6', json: { format: 'ipv6' } },
] as const;

const integerFormats: ReadonlySet<string> = new Set(['safeint', 'int32', 'uint32']);

const hints: Readonly<Record<string, string>> = {
  transform: 'Pipe it into a type: .pipe(z.string())',
  custom: 'Use z.any(), or the type of its values',
};

const isString = (value: unknown): boolean => typeof value === 'string';

/** The values of an enum. One of TypeScript with numbers also contains the reverse mapping. */
function enumValues(entries: Readonly<Record<string, string | number>>): unknown[] {
  const numbers = new Set(Object.values(entries).filter((value) => typeof value === 'number'));
  return Object.entries(entries).flatMap(([name, value]) => (numbers.has(Number(name)) ? [] : [value]));
}

function definitionOf(schema: unknown, path: string): Definition {
  const given = Object(schema) as Partial<ZodType>;
  if (given._zod?.def !== undefined) return given._zod.def;
  return fail(path, `must be a schema of Zod 4, got ${'_def' in given ? 'one of Zod 3' : describe(schema)}`);
}

function fail(path: string, problem: string): never {
  throw new TypeError(`fromZod: ${path === '' ? 'the schema' : path} ${problem}`);
}
