/** The type of a value in a schema's JSON form. */
export interface OracleType {
  readonly kind: string;
  readonly of?: OracleType;
  readonly key?: string;
  readonly keyNamed?: string;
  readonly len?: number;
  readonly name?: string;
  readonly nullable?: boolean;
  readonly pointers?: number;
  readonly selectorName?: string;
  readonly hidden?: boolean;
  /** Of integers that count something: nanoseconds, mebibytes. */
  readonly unit?: string;
  /** Of addresses that may have one. */
  readonly port?: boolean;
}

/** A schema's JSON form. */
export interface OracleSchema {
  readonly root: string;
  readonly structs: Readonly<Record<string, { readonly fields: Readonly<Record<string, OracleType>> }>>;
}

/** A value together with its declared type. */
export interface Typed {
  readonly type: OracleType;
  readonly value: unknown;
}

export const anyType: OracleType = { kind: 'any' };

/** An own property; `undefined` is absent, and nil has none. */
export function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

/** The keys of a map. One that holds `undefined` is absent. */
export function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).filter((key) => ownValue(value, key) !== undefined);
}

export function elementsOf(kind: string, type: OracleType, value: unknown): Typed[] {
  const of = type.of ?? anyType;
  const elements: unknown[] = Array.isArray(value) ? Array.from(value) : [];
  // An array has its declared length whatever the row holds.
  if (kind === 'array') elements.length = type.len ?? 0;
  return Array.from(elements, (element) => ({ type: of, value: element }));
}

export function pointersOf(type: OracleType): number {
  return type.pointers ?? (type.nullable === true ? 1 : 0);
}

export function isPointer(type: OracleType): boolean {
  return pointersOf(type) > 0;
}

/** Addresses and versions have no zero value: one that a row lacks is missing, as a key that a map lacks. */
export function isMissing({ type, value }: Typed): boolean {
  return ['ip', 'version'].includes(type.kind) && !isPointer(type) && (value === null || value === undefined);
}

export interface Look extends Typed {
  readonly kind: string;
}

/**
 * What an operator sees: one pointer is looked through, a second one stays a `pointer`; a path looks through all.
 * Absent and null are the zero value of a declared kind, nil for pointers and for kind `any`.
 */
export function look({ type, value }: Typed, throughAll = false): Look {
  const isAbsent = value === undefined || value === null;
  if (isPointer(type) && isAbsent) return { kind: 'nil', type, value: null };
  if (!throughAll && pointersOf(type) > 1) return { kind: 'pointer', type, value };
  switch (type.kind) {
    case 'any': {
      const kind = kindOfData(value);
      const isDate = kind === 'string' && value instanceof Date;
      return { kind, type: anyType, value: isDate ? textOfDate(value) : (value ?? null) };
    }
    case 'string':
    case 'time':
    case 'duration':
    case 'ip':
    case 'version':
      // Times and durations with a unit are integers.
      if (type.unit !== undefined) return { kind: 'int', type, value: isAbsent ? 0 : value };
      return {
        kind: 'string',
        type,
        value: isAbsent ? '' : value instanceof Date ? textOfDate(value) : value,
      };
    case 'bytes':
      return { kind: 'int', type, value: isAbsent ? 0 : value };
    case 'bool':
      return { kind: 'bool', type, value: isAbsent ? false : value };
    case 'int':
    case 'uint':
    case 'float32':
    case 'float64':
      return { kind: type.kind, type, value: isAbsent ? 0 : value };
    default:
      return { kind: type.kind, type, value: isAbsent ? null : value };
  }
}

function kindOfData(value: unknown): string {
  if (value === undefined || value === null) return 'nil';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'bigint') return value >= -(2n ** 63n) && value < 2n ** 63n ? 'int' : 'float64';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'unsupported' : 'string';
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'map';
  return 'unsupported';
}

/** Null for an invalid date. */
function textOfDate(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Whether a value is of the kind that it was declared as. */
export function fits({ kind, value }: Look): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
    case 'uint':
    case 'float32':
    case 'float64':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'list':
    case 'array':
      return value === null || Array.isArray(value);
    case 'map':
    case 'struct':
      return (
        value === null || (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date))
      );
    default:
      return true;
  }
}

/** Keys that are not plain text cannot be searched or iterated. */
export function hasOddKeys(type: OracleType): boolean {
  return (type.key !== undefined && type.key !== 'string') || type.keyNamed !== undefined;
}
