import { defaultLimits, type Limits } from './limits.js';
import { suggestNames } from './suggest.js';

/** Names of options. Each must be a key of the options that a function declares. */
export type OptionNames<Options> = readonly (keyof Options & string)[];

/**
 * Checks what a program passes as options: a misspelt name would be ignored, and with it a schema that hides fields.
 *
 * @throws TypeError that names what is wrong, and what was probably meant.
 */
export function checkOptions<Options extends object>(
  caller: string,
  options: Options,
  names: OptionNames<Options>,
): void {
  const given: unknown = options;
  if (isSchema(given)) throw new TypeError(`${caller}: a schema is passed as { schema }`);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(
      `${caller}: options must be an object such as { ${names[0] ?? ''} }, not ${describe(given)}`,
    );
  }
  for (const name of Object.keys(given)) {
    if (!(names as readonly string[]).includes(name)) throw unknownName(caller, 'option', name, names);
  }
  const { schema, limits, dialect, level } = given as Readonly<Record<string, unknown>>;
  if (schema !== undefined && !isSchema(schema)) {
    throw new TypeError(
      `${caller}: schema must come from defineSchema or parseSchema, not be ${describe(schema)}`,
    );
  }
  if (dialect !== undefined && dialect !== 'standard' && dialect !== 'go-bexpr') {
    throw new TypeError(`${caller}: the dialect is 'standard' or 'go-bexpr', not ${describe(dialect)}`);
  }
  if (level !== undefined && level !== 0 && level !== 1) {
    throw new TypeError(`${caller}: the level is 0 or 1, not ${describe(level)}`);
  }
  if (limits !== undefined) checkLimits(caller, limits);
}

function checkLimits(caller: string, limits: unknown): void {
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) {
    throw new TypeError(
      `${caller}: limits must be an object such as { maxTerms: 100 }, not ${describe(limits)}`,
    );
  }
  for (const [name, limit] of Object.entries(limits) as [string, unknown][]) {
    if (!Object.hasOwn(defaultLimits, name))
      throw unknownName(caller, 'limit', name, Object.keys(defaultLimits));
    if (limit === undefined || (typeof limit === 'number' && limit > 0)) continue;
    throw new TypeError(
      `${caller}: the limit ${name} must be a positive number or Infinity, not ${describe(limit)}`,
    );
  }
}

/** The limits with the defaults for those that are left out. */
export function limitsOf(limits: Partial<Limits> | undefined): Limits {
  if (limits === undefined) return defaultLimits;
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(given) };
}

function unknownName(caller: string, what: string, name: string, names: readonly string[]): TypeError {
  const [near] = suggestNames(name, names);
  const help = near === undefined ? `the ${what}s are ${names.join(', ')}` : `did you mean ${near}?`;
  return new TypeError(`${caller}: there is no ${what} ${JSON.stringify(name)}; ${help}`);
}

/** Checks the schema of a function that is about nothing else. @throws TypeError for everything else. */
export function checkSchema(caller: string, schema: unknown): void {
  if (isSchema(schema)) return;
  throw new TypeError(
    `${caller}: the schema must come from defineSchema or parseSchema, not be ${describe(schema)}`,
  );
}

/** Whether a value comes from `defineSchema`, `parseSchema` or `schemaFromJSONSchema`. */
export function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'root' in value && 'toJSON' in value;
}

/** What a value is, short enough for a message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
