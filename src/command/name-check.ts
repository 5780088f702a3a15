import type { Schema } from '../index.js';
import { suggestNames } from '../language/diagnostics/suggest.js';
import { fieldPathText } from '../language/syntax/field-path.js';
import { resolvePath } from '../language/schema/resolve.js';

/** A field named by an option or an expression. */
export interface NamedField {
  readonly title: string;
  readonly path: readonly string[];
  /** The option, for messages. */
  readonly option?: string;
}

/** A field that no row has. */
export interface UnknownName {
  readonly message: string;
  /** The name that was probably meant; null if none is similar. */
  readonly hint: string | null;
}

/** Maximum number of names kept for suggestions per unknown field. Prevents rows with unique keys from filling the memory. */
const maxNames = 1_000;
/** Maximum number of names in a message. */
const maxListed = 10;

/** Finds the named fields that no row has. A field that some rows have, or that the schema declares, is known. */
export class NameCheck {
  private missing: { readonly field: NamedField; depth: number; names: Set<string> }[];
  private isEmpty = true;

  constructor(fields: readonly NamedField[], schema: Schema | null) {
    this.missing = fields
      .filter(({ path }) => schema === null || !isDeclared(schema, path))
      .map((field) => ({ field, depth: 0, names: new Set() }));
  }

  /** Whether all fields are known. */
  get isComplete(): boolean {
    return this.missing.length === 0;
  }

  add(row: object): void {
    this.isEmpty = false;
    if (this.missing.length > 0) this.missing = this.missing.filter((each) => !isFoundIn(row, each));
  }

  /** Returns the fields that occur in no row; empty before the first row. */
  unknown(): UnknownName[] {
    if (this.isEmpty) return [];
    return this.missing.map(({ field, depth, names }) => {
      const { title, path, option } = field;
      const whole = path.slice(depth).join('.');
      const nearest = names.has(whole) ? whole : suggestNames(path[depth] ?? '', names, 1)[0];
      const listed = [...names].slice(0, maxListed);
      const more = names.size > listed.length ? ', ...' : '';
      const parent = depth === 0 ? 'the rows have' : `${fieldPathText(path.slice(0, depth))} has`;
      const known =
        listed.length === 0
          ? ''
          : `; ${parent} ${listed.map((name) => fieldPathText([name])).join(', ')}${more}`;
      const meant = nearest === undefined ? null : fieldPathText([...path.slice(0, depth), nearest]);
      return {
        message: `${option === undefined ? '' : `--${option}: `}unknown field ${JSON.stringify(title)}${known}`,
        hint: meant === null ? null : `did you mean ${meant}?`,
      };
    });
  }
}

/** Whether a schema declares a field. In one that is open, others are not declared. */
function isDeclared({ root }: Schema, path: readonly string[]): boolean {
  return resolvePath(root, path).end !== null && (root.open !== true || root.fields.has(path[0] ?? ''));
}

/** Whether a row has a field. If not, collects the names at the deepest level that any row has. */
function isFoundIn(
  row: object,
  missing: { readonly field: NamedField; depth: number; names: Set<string> },
): boolean {
  const { path } = missing.field;
  let value: unknown = row;
  for (const [depth, key] of path.entries()) {
    if (typeof value !== 'object' || value === null) return false;
    if (!Object.hasOwn(value, key)) {
      if (depth < missing.depth || Array.isArray(value)) return false;
      if (depth > missing.depth) missing.names = new Set();
      missing.depth = depth;
      for (const name of Object.keys(value)) if (missing.names.size < maxNames) missing.names.add(name);
      return false;
    }
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return true;
}
