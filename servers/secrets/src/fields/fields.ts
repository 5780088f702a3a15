import { suggestName } from '@tamis/config';
import { parseGoBool } from '@tamis/http';
import { QuotingError, SecretsError } from '../base/errors.js';
import { readSeconds } from './seconds.js';

/** One kind of field: how a value that was sent becomes one that is used. */
export interface Field<Value> {
  /** The words of a refusal after "must be". */
  readonly expects: string;
  /** `undefined` means "as if it had not been sent". Null means the value cannot be read. */
  readonly read: (value: unknown) => Value | null | undefined;
}

/** Fields by their names. */
export type Schema = Readonly<Record<string, Field<unknown>>>;
type ValueOf<Kind> = Kind extends Field<infer Value> ? Value : never;

/** The fields of a body that were sent, read, and the names of unknown ones. */
export interface FieldValues<Fields extends Schema> {
  readonly values: { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> };
  readonly unknown: readonly string[];
}

/** A text. Numbers and switches are taken as their text. */
export const text: Field<string> = { expects: 'a string', read: scalarText };

/** A whole number, also as its digits. */
export const integer: Field<number> = {
  expects: 'a whole number',
  read: (value) => readInteger(value),
};

/** A whole number that is not negative. */
export const count: Field<number> = {
  expects: 'a whole number, 0 or more',
  read: (value) => notNegative(readInteger(value)),
};

/** True or false, also as 1 and 0, numbers or text. */
export const flag: Field<boolean> = {
  expects: 'true or false',
  read(value) {
    if (value === null || value === '') return false;
    if (typeof value === 'boolean') return value;
    return typeof value === 'string' ? parseGoBool(value) : toFlag(value);
  },
};

/** Most items of a list, in whichever of its forms. */
const maxListLength = 1_000;

/** A list, also as one text with commas. Blank items are left out. */
export const list: Field<readonly string[]> = {
  expects: `a list of at most ${maxListLength} strings, or one string with commas`,
  read: readList,
};

/** A list in which at least one item must be left when something was sent, so that `[""]` cannot lift a constraint. */
export const constraint: Field<readonly string[]> = {
  expects: `a list of at most ${maxListLength} strings that are not blank, or one string with commas`,
  read(value) {
    const items = readList(value);
    const sentNone = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    return items?.length === 0 && !sentNone ? null : items;
  },
};

/** A length of time that is not negative, in seconds. */
export const duration: Field<number> = {
  expects: 'a duration, 0 or more: seconds, or text such as "90s", "1h30m" or "2d"',
  read: (value) => (value === null ? undefined : notNegative(readSeconds(value))),
};

/** A length of time in seconds that may be negative. */
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
    if (value === null) throw new SecretsError('bad-request', `field "${name}" must be ${field.expects}`);
    if (value !== undefined) values.push([name, value]);
  }
  // Each value was made by the reader of the field of the same name.
  const read = Object.fromEntries(values) as FieldValues<Fields>['values'];
  return { values: read, unknown: unknown.sort() };
}

/**
 * Reads a body in which an unknown name could change the meaning of everything else: a slip in a request that revokes by the
 * fields of a body must not revoke more.
 *
 * @throws SecretsError `bad-request` as `readFields`, and for an unknown member: with its name, and the name that was most likely
 * meant.
 */
export function readOnlyFields<Fields extends Schema>(
  fields: Fields,
  body: Readonly<Record<string, unknown>>,
): FieldValues<Fields>['values'] {
  requireKnown('field', Object.keys(body), Object.keys(fields));
  return readFields(fields, body).values;
}

/** Characters of a name that is not known, as a refusal or a warning shows it. */
const maxQuotedLength = 64;

/** Stops a warning from holding as much as was sent. */
const maxUnknown = 20;

/** The form of names of fields. Any other name may be a secret: a form that is nothing but a token has the token for a name. */
export const isFieldName = (name: string): boolean => /^[a-z][a-z0-9_]{0,63}$/.test(name);

/** The warning about unknown fields; empty without unknown fields. */
export function warnOfUnknown(unknown: readonly string[]): readonly string[] {
  if (unknown.length === 0) return [];
  const named = unknown.slice(0, maxUnknown).map((name) => name.slice(0, maxQuotedLength));
  const more = unknown.length > maxUnknown ? ` and ${String(unknown.length - maxUnknown)} more` : '';
  return [`these fields are not known and were ignored: ${named.join(', ')}${more}`];
}

/** The names in a body that are not among the fields, in order. */
export function unknownFields(fields: Schema, body: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(body)
    .filter((name) => !Object.hasOwn(fields, name))
    .sort();
}

/** @throws SecretsError `bad-request` for the first unknown name. */
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
