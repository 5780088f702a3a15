import type { FieldJSON, SchemaJSON, StructJSON, TypeJSON } from 'tamis';

/** A kind that a field can be given by hand, as people choose it. */
export interface KindChoice {
  readonly title: string;
  readonly type: TypeJSON;
}

export const kindChoices: readonly KindChoice[] = [
  { title: 'string', type: { kind: 'string' } },
  { title: 'bool', type: { kind: 'bool' } },
  { title: 'int', type: { kind: 'int' } },
  { title: 'uint', type: { kind: 'uint' } },
  { title: 'float64', type: { kind: 'float64' } },
  { title: 'time', type: { kind: 'time' } },
  { title: 'time (s)', type: { kind: 'time', unit: 's' } },
  { title: 'time (ms)', type: { kind: 'time', unit: 'ms' } },
  { title: 'time (ns)', type: { kind: 'time', unit: 'ns' } },
  { title: 'duration', type: { kind: 'duration' } },
  { title: 'duration (s)', type: { kind: 'duration', unit: 's' } },
  { title: 'duration (ms)', type: { kind: 'duration', unit: 'ms' } },
  { title: 'duration (ns)', type: { kind: 'duration', unit: 'ns' } },
  { title: 'bytes', type: { kind: 'bytes', unit: 'B' } },
  { title: 'bytes (MiB)', type: { kind: 'bytes', unit: 'MiB' } },
  { title: 'ip', type: { kind: 'ip' } },
  { title: 'version', type: { kind: 'version' } },
  { title: 'list of string', type: { kind: 'list', of: { kind: 'string' } } },
  { title: 'list of int', type: { kind: 'list', of: { kind: 'int' } } },
  { title: 'map of string', type: { kind: 'map', of: { kind: 'string' } } },
  { title: 'map of any', type: { kind: 'map', of: { kind: 'any' } } },
  { title: 'any', type: { kind: 'any' } },
];

/** A line of the table of fields: a field of the rows, or of a struct below one. */
export interface FieldLine {
  /** The struct in which it is declared, and its name there. */
  readonly struct: string;
  readonly property: string;
  readonly depth: number;
  readonly type: FieldJSON;
  /** Its kind in words, such as `list of TaskGroups`. */
  readonly title: string;
}

/** Most lines that are shown: what is larger is edited as JSON. */
const maxLines = 300;

/** The fields of a schema in order, those of structs below their field; each struct once. */
export function fieldLines(schema: SchemaJSON): readonly FieldLine[] {
  const lines: FieldLine[] = [];
  const seen = new Set<string>();
  const add = (struct: string, depth: number): void => {
    if (seen.has(struct)) return;
    seen.add(struct);
    for (const [property, type] of Object.entries(schema.structs[struct]?.fields ?? {})) {
      if (lines.length >= maxLines) return;
      lines.push({ struct, property, depth, type, title: titleOf(type) });
      const below = structBelow(type);
      if (below !== null) add(below, depth + 1);
    }
  };
  add(schema.root, 0);
  return lines;
}

function structBelow(type: TypeJSON): string | null {
  if (type.kind === 'struct') return type.name ?? null;
  return type.of === undefined ? null : structBelow(type.of);
}

/** A type in words; those of the choices have the words of their choice. */
export function titleOf({ kind, unit, of, values }: TypeJSON): string {
  if (kind === 'bytes') return unit === 'B' || unit === undefined ? kind : `${kind} (${unit})`;
  if (unit !== undefined) return `${kind} (${unit})`;
  if (of !== undefined) return `${kind} of ${titleOf(of)}`;
  return values === undefined ? kind : `one of ${values.length}`;
}

/** The schema with a field of another type. What is null in the rows may stay so; what was hidden stays hidden. */
export function withType(schema: SchemaJSON, { struct, property }: FieldLine, type: TypeJSON): SchemaJSON {
  return withField(schema, struct, property, ({ nullable, hidden, selectorName }) => ({
    ...type,
    ...(nullable === true && isNullable(type) ? { nullable } : {}),
    ...(hidden === true ? { hidden } : {}),
    ...(selectorName === undefined ? {} : { selectorName }),
  }));
}

/** Lists and maps are nil where they are null, whatever is declared. */
function isNullable({ kind }: TypeJSON): boolean {
  return kind !== 'list' && kind !== 'map' && kind !== 'any';
}

/** The schema with a field that filters cannot see, or can see again. */
export function withHidden(schema: SchemaJSON, { struct, property }: FieldLine, hidden: boolean): SchemaJSON {
  return withField(schema, struct, property, (type) => ({ ...type, hidden }));
}

function withField(
  schema: SchemaJSON,
  struct: string,
  property: string,
  change: (type: FieldJSON) => FieldJSON,
): SchemaJSON {
  const rewrite = ({ fields }: StructJSON): StructJSON => ({
    fields: fromEntries(
      Object.entries(fields).map(([name, type]) => [name, name === property ? change(type) : type]),
    ),
  });
  return {
    root: schema.root,
    structs: fromEntries(
      Object.entries(schema.structs).map(([name, each]) => [name, name === struct ? rewrite(each) : each]),
    ),
  };
}

/** `Object.fromEntries` defines own properties, so that a field may be called `__proto__`. */
function fromEntries<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries(entries);
}
