import { suggestName } from '@tamis/config';
import { parseGoBool } from '@tamis/http';
import { badRequest, QuotingError } from '../base/errors.js';
import { readSeconds } from './seconds.js';

/** A type of field, which validates and converts a value of a request. */
export interface Field<Value> {
  /** Description of valid values, used in error messages after "must be". */
  readonly expects: string;
  /** Converts a value; `undefined` if it counts as omitted, null if it is invalid. */
  readonly read: (value: unknown) => Value | null | undefined;
}

/** Fields by their names. */
export type Schema = Readonly<Record<string, Field<unknown>>>;
type ValueOf<Kind> = Kind extends Field<infer Value> ? Value : never;

/** The converted fields of a body, and the names of unknown fields. */
export interface FieldValues<Fields extends Schema> {
  readonly values: { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> };
  readonly unknown: readonly string[];
}

/** A string. Numbers and booleans are converted. */
export const text: Field<string> = { expects: 'a string', read: scalarText };

/** An integer, or a string of its digits. */
export const integer: Field<number> = {
  expects: 'a whole number',
  read: (value) => readInteger(value),
};

/** A non-negative integer. */
export const count: Field<number> = {
  expects: 'a whole number, 0 or more',
  read: (value) => notNegative(readInteger(value)),
};

/** A boolean; also 1 and 0, and any of these as a string. */
export const flag: Field<boolean> = {
  expects: 'true or false',
  read(value) {
    if (value === null || value === '') return false;
    if (typeof value === 'boolean') return value;
    return typeof value === 'string' ? parseGoBool(value) : toFlag(value);
  },
};

/** Maximum number of items of a list, as an array or a string. */
const maxListLength = 1_000;

/** A list of strings, or one comma-separated string. Blank items are dropped. */
export const list: Field<readonly string[]> = {
  expects: `a list of at most ${maxListLength} strings, or one string with commas`,
  read: readList,
};

/** A list that must not become empty when blank items are dropped. Prevents `[""]` from removing a constraint silently. */
export const constraint: Field<readonly string[]> = {
  expects: `a list of at most ${maxListLength} strings that are not blank, or one string with commas`,
  read(value) {
    const items = readList(value);
    const sentNone = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    return items?.length === 0 && !sentNone ? null : items;
  },
};

/** A non-negative duration, in seconds. */
export const duration: Field<number> = {
  expects: 'a duration, 0 or more: seconds, or text such as "90s", "1h30m" or "2d"',
  read: (value) => (value === null ? undefined : notNegative(readSeconds(value))),
};

/** A duration in seconds; may be negative. */
export const signedDuration: Field<number> = {
  expects: 'a duration: seconds, or text such as "90s", "1h30m" or "2d"',
  read: (value) => (value === null ? undefined : readSeconds(value)),
};

/**
 * Reads the known fields of a body.
 *
 * @throws SecretsError `bad-request` that names the field and what it must be, never the value that was sent.
 */
export function readFields<Fields extends Schema>(
  fields: Fields,
  body: Readonly<Record<string, unknown>>,
): FieldValues<Fields> {
  const values: [string, unknown][] = [];
  const unknown: string[] = [];
  for (const [name, sent] of Object.entries(body)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      unknown.push(name);
      continue;
    }
    const value = field.read(sent);
    if (value === null) throw badRequest(`field "${name}" must be ${field.expects}`);
    if (value !== undefined) values.push([name, value]);
  }
  // This cast is safe: each value was converted by the field of the same name.
  const read = Object.fromEntries(values) as FieldValues<Fields>['values'];
  return { values: read, unknown: unknown.sort() };
}

/**
 * Reads a body and rejects unknown fields. Prevents a misspelt field from being ignored, for example in a request that would then
 * revoke more tokens than intended.
 *
 * @throws SecretsError `bad-request` as `readFields`, and for an unknown field, with its name and the most similar known name.
 */
export function readOnlyFields<Fields extends Schema>(
  fields: Fields,
  body: Readonly<Record<string, unknown>>,
): FieldValues<Fields>['values'] {
  requireKnown('field', Object.keys(body), Object.keys(fields));
  return readFields(fields, body).values;
}

/** Maximum length of an unknown name in an error or a warning, in characters. */
const maxQuotedLength = 64;

/** Maximum number of unknown names in a warning. Prevents warnings from growing with the request. */
const maxUnknown = 20;

/**
 * Whether a name has the form of a field name: short lower-case words. Any other name may be a secret: the body of a form may be just
 * a token.
 */
export const isFieldName = (name: string): boolean =>
  name.length <= 48 && /^[a-z]{1,20}(?:_[a-z]{1,20})*$/.test(name);

/** Returns a warning about unknown fields; empty if none exist. */
export function warnOfUnknown(unknown: readonly string[]): readonly string[] {
  if (unknown.length === 0) return [];
  const named = unknown.slice(0, maxUnknown).map((name) => name.slice(0, maxQuotedLength));
  const more = unknown.length > maxUnknown ? ` and ${String(unknown.length - maxUnknown)} more` : '';
  return [`these fields are not known and were ignored: ${named.join(', ')}${more}`];
}

/** Returns the unknown names in a body, sorted. */
export function unknownFields(fields: Schema, body: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(body)
    .filter((name) => !Object.hasOwn(fields, name))
    .sort();
}

/** Checks that all names are known. @throws SecretsError `bad-request` for the first unknown name. */
export function requireKnown(noun: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const redacted = JSON.stringify(unknown.slice(0, maxQuotedLength));
  const near = suggestName(unknown, known);
  const remedy = near === null ? `there is ${known.join(', ')}` : `did you mean "${near}"?`;
  const recorded = isFieldName(unknown) ? `${noun} ${redacted}` : `${noun} of that name`;
  throw new QuotingError(
    'bad-request',
    `there is no ${noun} ${redacted} here: ${remedy}`,
    `there is no ${recorded} here: ${remedy}`,
  );
}

function scalarText(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? '1' : '0';
    default:
      return value === null ? '' : null;
  }
}

const digits = /^[+-]?\d{1,16}$/;

function readInteger(value: unknown): number | null {
  if (value === null || value === '') return 0;
  const number = typeof value === 'string' && digits.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

function notNegative(number: number | null): number | null {
  return number === null || number < 0 ? null : number;
}

function toFlag(value: unknown): boolean | null {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) !== 0 : null;
}

function readList(value: unknown): readonly string[] | null {
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : (scalarText(value)?.split(',', maxListLength + 1) ?? [null]);
  if (items.length > maxListLength) return null;
  const texts: string[] = [];
  for (const item of items) {
    const read = item === null ? null : scalarText(item);
    if (read === null) return null;
    const trimmed = read.trim();
    if (trimmed !== '') texts.push(trimmed);
  }
  return texts;
}
