/** A parameter value of a statement. Integers beyond the range of a double are bigints or strings. */
export type SqlValue = string | number | bigint | boolean | null;

/** A fragment of a statement: constant SQL, values, and nested fragments. */
export type Sql = readonly SqlPart[];
type SqlPart = string | Parameter | Sql;

/** A value that is sent as a parameter. */
interface Parameter {
  readonly value: SqlValue;
}

/** Returns a fragment of SQL that is constant or comes from the mapping. Its source must not be part of a filter. */
export function raw(text: string): Sql {
  return [text];
}

export function parameter(value: SqlValue): Sql {
  return [{ value }];
}

/** Returns a fragment of constant SQL with nested fragments. */
export function sql(strings: TemplateStringsArray, ...pieces: readonly Sql[]): Sql {
  const parts: SqlPart[] = [];
  for (const [at, text] of strings.entries()) {
    if (text !== '') parts.push(text);
    const piece = pieces[at];
    if (piece !== undefined) parts.push(piece);
  }
  return parts;
}

/** Condition that is true for every row. */
export const always: Sql = Object.freeze(['TRUE']);
export const never: Sql = Object.freeze(['FALSE']);

export function and(conditions: readonly Sql[]): Sql {
  if (conditions.includes(never)) return never;
  return joined(
    conditions.filter((each) => each !== always),
    ' AND ',
    always,
  );
}

export function or(conditions: readonly Sql[]): Sql {
  if (conditions.includes(always)) return always;
  return joined(
    conditions.filter((each) => each !== never),
    ' OR ',
    never,
  );
}

/** Maximum number of operands in one chain. Engines limit the depth of an expression, and a chain counts as depth. */
const maxInChain = 50;

function joined(conditions: readonly Sql[], word: string, none: Sql): Sql {
  const [first] = conditions;
  if (first === undefined) return none;
  if (conditions.length === 1) return first;
  if (conditions.length <= maxInChain)
    return ['(', ...conditions.flatMap((each, at): SqlPart[] => (at === 0 ? [each] : [word, each])), ')'];
  const size = Math.ceil(conditions.length / maxInChain);
  const groups: Sql[] = [];
  for (let at = 0; at < conditions.length; at += size)
    groups.push(joined(conditions.slice(at, at + size), word, none));
  return joined(groups, word, none);
}

/** Joins fragments with commas. */
export function list(pieces: readonly Sql[]): Sql {
  return pieces.flatMap((each, at): SqlPart[] => (at === 0 ? [each] : [', ', each]));
}

/** Strings with one value between each two of them, as in template literals. */
export interface SqlParts {
  readonly strings: readonly string[];
  readonly values: readonly SqlValue[];
}

/**
 * Like {@link SqlParts}, but created by Tamis. Drivers and query builders accept it as a template literal, and its values as a
 * list.
 */
export interface SqlTemplate {
  readonly strings: TemplateStringsArray;
  readonly values: SqlValue[];
}

export function templateOf({ strings, values }: SqlTexts): SqlTemplate {
  const cooked: readonly string[] = Object.defineProperty([...strings], 'raw', { value: strings });
  return { strings: Object.freeze(cooked) as TemplateStringsArray, values };
}

interface SqlTexts {
  readonly strings: readonly string[];
  readonly values: SqlValue[];
}

export function partsOf(piece: Sql): SqlTexts {
  const strings: string[] = [''];
  const values: SqlValue[] = [];
  const add = (part: SqlPart): void => {
    if (typeof part === 'string') strings[strings.length - 1] += part;
    else if ('value' in part) {
      values.push(part.value);
      strings.push('');
    } else part.forEach(add);
  };
  piece.forEach(add);
  return { strings, values };
}

/** The style of placeholders: numbered from 1 (`$`) or positional (`?`). */
export type PlaceholderStyle = '$' | '?';

/** A style of placeholders, or a function that writes each from its number and value. */
export type Placeholder = PlaceholderStyle | ((position: number, value: SqlValue) => string);

/** Returns the SQL of a statement. If it is part of a longer statement, `first` is the number of its first parameter. */
export function sqlTextOf({ strings, values }: SqlParts, placeholder: Placeholder, first = 1): string {
  if (placeholder === '?') return strings.join('?');
  const write = placeholder === '$' ? (position: number) => `$${position}` : placeholder;
  return strings.reduce((text, each, at) => `${text}${write(first + at - 1, values[at - 1] ?? null)}${each}`);
}

/** Converts a caller's condition to a fragment. @throws TypeError if it is not a condition. */
export function ofParts(parts: SqlParts): Sql {
  const { strings, values } = parts;
  if (!Array.isArray(strings) || !Array.isArray(values) || strings.length !== values.length + 1)
    throw new TypeError(
      'sqlMapping: scope must have strings and the values between them, such as { strings: ["team = ", ""], values: [7] }',
    );
  return strings.flatMap((text, at): Sql =>
    at < values.length ? [text, { value: values[at] as SqlValue }] : [text],
  );
}
