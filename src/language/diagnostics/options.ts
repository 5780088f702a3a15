import { defaultLimits, type Limits } from './limits.js';
import { suggestNames } from './suggest.js';

/** Names of options. Each must be a key of the options that a function declares. */
export type OptionNames<Options> = readonly (keyof Options & string)[];

/**
 * Checks an options object. Rejects unknown names: a misspelt `schema` would be ignored, and its hidden fields exposed. Also checks
 * the values of options that many functions share.
 *
 * @throws TypeError that names what is wrong, and what was probably meant.
 */
export function checkOptions<Options extends object>(
  caller: string,
  options: Options,
  names: OptionNames<Options>,
  internalNames: OptionNames<Options> = [],
): void {
  checkNames(caller, 'option', options, names, internalNames);
  const given = options as Readonly<Record<string, unknown>>;
  for (const name of [...names, ...internalNames]) {
    const value = given[name];
    const key = `${caller}.${name}`;
    const rule = rules[Object.hasOwn(rules, key) ? key : name];
    if (rule === undefined || value === undefined || rule.accepts(value)) continue;
    throw new TypeError(`${caller}: ${rule.says}${describe(value)}`);
  }
  if (given.limits !== undefined) checkLimits<Limits>(caller, given.limits as Partial<Limits>, defaultLimits);
}

/** What the option values must be, by option name or by function and option name, and the prefix of the error message for invalid values. */
const rules: Readonly<
  Record<string, { readonly accepts: (value: unknown) => boolean; readonly says: string }>
> = {
  schema: { accepts: isSchema, says: 'schema must be created with defineSchema() or parseSchema(), got ' },
  dialect: oneOf(['standard', 'go-bexpr'], "dialect must be 'standard' or 'go-bexpr', got "),
  level: oneOf([0, 1], 'level must be 0 or 1, got '),
  check: oneOf([true, false], 'check must be a boolean, got '),
  unresolved: oneOf(['error', 'absent', 'deny'], "unresolved must be 'error', 'absent' or 'deny', got "),
  'createList.unresolved': oneOf(['error', 'absent'], "unresolved must be 'error' or 'absent', got "),
  now: {
    accepts: (value) => typeof value === 'function',
    says: 'now must be a function that returns a Date, got ',
  },
  specialise: oneOf([true, false], 'specialise must be a boolean, got '),
};

function oneOf(
  values: readonly unknown[],
  says: string,
): { readonly accepts: (value: unknown) => boolean; readonly says: string } {
  return { accepts: (value) => values.includes(value), says };
}

/**
 * Checks that options, limits and the like are an object that has only these names; messages do not list internal names.
 *
 * @throws TypeError
 */
export function checkNames<Options extends object>(
  caller: string,
  what: 'option' | 'limit',
  options: Options,
  names: OptionNames<Options>,
  internalNames: readonly string[] = [],
): void {
  const given: unknown = options;
  if (isSchema(given))
    throw new TypeError(`${caller}: options must be an object such as { schema }, got a schema`);
  if (!hasNames(given)) {
    const example = what === 'limit' ? `${names[0] ?? ''}: 100` : (names[0] ?? '');
    throw new TypeError(
      `${caller}: ${what}s must be an object such as { ${example} }, got ${describe(given)}`,
    );
  }
  const known: readonly string[] = names;
  for (const name of Object.keys(given)) {
    if (known.includes(name) || internalNames.includes(name)) continue;
    const [near] = suggestNames(name, known);
    const help = near === undefined ? `The ${what}s are ${known.join(', ')}.` : `Did you mean ${near}?`;
    throw new TypeError(`${caller}: unknown ${what} ${JSON.stringify(name)}. ${help}`);
  }
}

/**
 * Checks the names of an object of callbacks with {@link checkNames}: a misspelt callback would never be called. Class instances
 * may have additional members.
 */
export function checkMembers<Members extends object>(
  caller: string,
  members: Members,
  names: OptionNames<Members>,
): void {
  if (!hasNames(members) || Object.getPrototypeOf(members) === Object.prototype)
    checkNames(caller, 'option', members, names);
}

/** Whether a value is an object with named properties: not an array, a Date or a Map. */
export function hasNames(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length > 0 || tagOf(value) === 'Object';
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Checks limits and returns them with defaults for omitted ones. @throws TypeError if a limit is unknown or invalid. */
export function readLimits<All extends object>(caller: string, limits: Partial<All>, defaults: All): All {
  checkLimits(caller, limits, defaults);
  return withDefaults(limits, defaults);
}

function checkLimits<All extends object>(caller: string, limits: Partial<All>, defaults: All): void {
  const names = namesOf(defaults);
  checkNames<Partial<All>>(caller, 'limit', limits, names);
  for (const [name, limit] of Object.entries(readNamed<Partial<All>>(limits, names))) {
    if (limit === undefined || (typeof limit === 'number' && limit > 0)) continue;
    throw new TypeError(
      `${caller}: limits.${name} must be a positive number or Infinity, got ${describe(limit)}`,
    );
  }
}

/** @throws TypeError if the value is not a number (or not an integer, if one is required) or is below the minimum. */
export function checkMinimum(
  caller: string,
  name: string,
  value: unknown,
  min: number,
  isWhole = false,
): void {
  if (typeof value === 'number' && value >= min && (!isWhole || Number.isSafeInteger(value))) return;
  const what = isWhole ? 'a whole number' : 'a number';
  throw new TypeError(`${caller}: ${name} must be ${what} of at least ${min}, got ${describe(value)}`);
}

/** Returns the limits with defaults for omitted ones, unchecked. */
export function limitsOf(limits: Partial<Limits> | undefined): Limits {
  return limits === undefined ? defaultLimits : withDefaults(limits, defaultLimits);
}

function withDefaults<All extends object>(limits: Partial<All>, defaults: All): All {
  return { ...defaults, ...readNamed<Partial<All>>(limits, namesOf(defaults)) };
}

/** Returns the names of all properties of an object. */
export function namesOf<All extends object>(all: All): (keyof All & string)[] {
  return Object.keys(all) as (keyof All & string)[];
}

/**
 * Returns a new object with the named properties that are not undefined, including inherited ones and getters. Later changes of the
 * given object do not affect it.
 */
export function readNamed<Given extends object>(
  given: Given,
  names: readonly (keyof Given & string)[],
): Partial<Given> {
  const read: Partial<Given> = {};
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) read[name] = value;
  }
  return read;
}

/** Checks a required schema argument. @throws TypeError if the value is not a schema. */
export function checkSchema(caller: string, schema: unknown): void {
  if (isSchema(schema)) return;
  throw new TypeError(
    `${caller}: schema must be created with defineSchema() or parseSchema(), got ${describe(schema)}`,
  );
}

/** Whether a value comes from `defineSchema`, `parseSchema` or `fromJSONSchema`. */
export function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'root' in value && 'toJSON' in value;
}

/** Describes a value, short enough for a message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (isPromise(value)) return 'a promise';
  const tag = tagOf(value);
  return tag === 'Object' ? 'an object' : `an object of the class ${tag}`;
}

/** Whether a value has the method of promises. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** @throws TypeError if the value is not iterable. */
export function checkIterable(caller: string, name: string, value: unknown): void {
  if (typeof (Object(value) as Iterable<unknown>)[Symbol.iterator] === 'function') return;
  const help = isPromise(value) ? '; await it first' : '';
  throw new TypeError(`${caller}: ${name} must be iterable, got ${describe(value)}${help}`);
}

/** @throws TypeError if the value is not a function. */
export function checkFunction(caller: string, name: string, value: unknown): void {
  if (typeof value === 'function') return;
  throw new TypeError(`${caller}: ${name} must be a function, got ${describe(value)}`);
}
