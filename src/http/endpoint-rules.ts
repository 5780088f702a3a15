import { describe, hasNames } from '../language/diagnostics/options.js';
import { suggestNames } from '../language/diagnostics/suggest.js';
import type { RowSource } from '../lists/query/source/row-source.js';
import { declaredField, nearestField } from '../language/schema/declared-field.js';
import type { Field } from '../language/schema/type.js';
import { makeMatch, makeSelector, makeSpan, makeValue } from '../language/syntax/factory.js';
import { print } from '../language/syntax/print.js';
import {
  headerDescriptions,
  parameterDescriptions,
  type HeaderName,
  type ParameterName,
} from './parameters.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { RequestRules } from './read-request.js';

/** The rules for parsing the requests of one endpoint, and the names of its headers. */
export interface EndpointRules extends RequestRules {
  readonly headerOf: (name: HeaderName) => string;
  /** The fields of `fieldParameters`, by parameter name. */
  readonly values: ReadonlyMap<string, Field>;
  /** Whether responses have an index. */
  readonly hasIndex: boolean;
  /** The descriptions of additional parameters. */
  readonly furtherTexts: ReadonlyMap<string, string>;
}

const functions = 'caller cacheKey access visible onPermissionsChange serialize onError readSwitch';

/** What the values of options must be. */
const expectations: readonly (readonly [
  names: string,
  isValid: (value: unknown) => boolean,
  expected: string,
])[] = [
  [functions, (value) => typeof value === 'function', 'a function'],
  ['fieldParameters parameters rename', hasNames, 'an object'],
  ['ignoredParameters', isNameList, 'an array of names'],
  ['maxPerPage', (value) => Number.isInteger(value) && Number(value) >= 1, 'a whole number of at least 1'],
  ['strict quiet', (value) => typeof value === 'boolean', 'a boolean'],
];

/** @throws TypeError for options of the wrong type. */
export function checkEndpoint<T, C>(options: EndpointOptions<T, C>): void {
  const { cors, access, visible } = options;
  const given = options as Readonly<Record<string, unknown>>;
  for (const [names, isValid, expected] of expectations)
    for (const name of names.split(' '))
      if (given[name] !== undefined && !isValid(given[name]))
        throw new TypeError(`listEndpoint: ${name} must be ${expected}, got ${describe(given[name])}`);
  if (access !== undefined && visible !== undefined)
    throw new TypeError(
      'listEndpoint: access cannot be combined with visible; write both conditions as rules',
    );
  if (cors === undefined) return;
  const { origins, credentials } = cors as { readonly origins: unknown; readonly credentials?: unknown };
  if (origins !== '*' && !(Array.isArray(origins) && origins.every((each) => typeof each === 'string'))) {
    throw new TypeError(
      `listEndpoint: cors.origins must be '*' or an array of origins, got ${describe(origins)}`,
    );
  }
  if (origins === '*' && credentials === true) {
    throw new TypeError(
      'listEndpoint: cors.credentials cannot be combined with all origins; list them in cors.origins',
    );
  }
}

function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
}

/** Parameters that links from elsewhere and scripts add. */
const alwaysIgnored = ['utm_*', '_'];

/** @throws TypeError if a name is not that of a parameter, a header or a field. */
export function rulesOf<T extends object, C>(
  source: RowSource<T>,
  options: EndpointOptions<T, C>,
): EndpointRules {
  const {
    rename: names = {},
    fieldParameters = {},
    parameters = {},
    maxPerPage = null,
    strict = true,
    ignoredParameters = [],
    quiet = false,
    readSwitch = null,
  } = options;
  const known = [...Object.keys(parameterDescriptions), ...Object.keys(headerDescriptions)];
  for (const [name, other] of Object.entries(names) as [string, unknown][]) {
    if (!known.includes(name)) throw unknown('rename', name, known);
    if (typeof other !== 'string' || other === '') {
      throw new TypeError(`listEndpoint: rename.${name} must be a string, got ${describe(other)}`);
    }
  }
  const nameOf = (name: ParameterName): string => names[name] ?? name;
  const values = new Map(
    Object.entries(fieldParameters).map(([name, property]) => [name, fieldOf(source, property)] as const),
  );
  const taken = new Set<string>();
  for (const name of [...Object.keys(parameterDescriptions), ...values.keys(), ...Object.keys(parameters)]) {
    const written = Object.hasOwn(parameterDescriptions, name) ? nameOf(name as ParameterName) : name;
    if (taken.has(written))
      throw new TypeError(`listEndpoint: two parameters have the name ${JSON.stringify(written)}`);
    taken.add(written);
  }
  const isWatchable = source.watched !== null || source.signal !== undefined;
  return {
    nameOf,
    headerOf: (name) => names[name] ?? name,
    fieldParameters: new Map([...values].map(([name, field]) => [name, clauseOf(field)])),
    values,
    further: Object.keys(parameters),
    furtherTexts: new Map(Object.entries(parameters)),
    isStrict: strict,
    isIgnored: matcherOf([...alwaysIgnored, ...ignoredParameters]),
    isProjectable: options.serialize === undefined,
    fields: [...source.schema.root.properties.values()].filter(({ hidden }) => !hidden),
    maxPerPage,
    readSwitch,
    isWatchable,
    hasIndex: isWatchable && !quiet,
  };
}

/** Returns a test for names that are listed, or begin with a listed prefix before `*`. */
function matcherOf(names: readonly string[]): (name: string) => boolean {
  return (name) =>
    names.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
}

function fieldOf<T>({ schema }: RowSource<T>, property: string): Field {
  const field = declaredField(schema.root, property);
  if (field === null) {
    const near = nearestField(schema.root, property);
    throw unknown('fieldParameters', property, near === null ? [] : [near]);
  }
  const type = field.type.kind === 'list' ? field.type.of : field.type;
  if (['struct', 'map', 'list', 'array', 'any'].includes(type.kind)) {
    throw new TypeError(`listEndpoint: fieldParameters: ${property} cannot be a parameter`);
  }
  return field;
}

function unknown(option: string, name: string, names: Iterable<string>): TypeError {
  const [near] = suggestNames(name, names, 1);
  const hint = near === undefined ? '' : `: did you mean ${near}?`;
  return new TypeError(`listEndpoint: ${option}: unknown parameter ${JSON.stringify(name)}${hint}`);
}

const nowhere = makeSpan(0, 0);

/** Returns the clause that a field equals a value, or that a list contains it. */
function clauseOf({ name, type }: Field): (value: string) => string {
  const field = makeSelector('bexpr', [name], [nowhere], nowhere);
  const operator = type.kind === 'list' ? 'in' : '==';
  return (value) => {
    const literal = makeValue(value, true, false, 'quoted', nowhere);
    return print(makeMatch(operator, nowhere, 'value', field, literal, nowhere));
  };
}
