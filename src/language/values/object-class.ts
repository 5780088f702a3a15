/**
 * What objects are as data. `record`: properties are its entries; `odd` and `invalid Date`: no data at all. Objects of another realm, such as
 * a frame or a test runner's context, are told apart like those of this one.
 */
export type ObjectClass = 'record' | 'Map' | 'Set' | 'Date' | 'invalid Date' | 'odd';

/** What is no data, by the tag that `Object.prototype.toString` tells. */
const oddTags: ReadonlySet<string> = new Set(
  [
    ...['ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Promise', 'WeakMap', 'WeakSet', 'WeakRef', 'RegExp'],
    ...['Boolean', 'Number', 'String', 'Symbol', 'BigInt'],
  ].map((name) => `[object ${name}]`),
);

/** Whether a value is surely a record, found out at the least cost. */
export function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The class of an object that is no array. */
export function classOf(value: object): ObjectClass {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Nearly every object: the others are looked at more closely.
  if (prototype === Object.prototype || prototype === null) return 'record';
  // The language's own are asked at once: a tag takes ten times as long, and the body of a collection may ask each time.
  if (prototype === Map.prototype && has(mapSize, value)) return 'Map';
  if (prototype === Set.prototype && has(setSize, value)) return 'Set';
  if (ArrayBuffer.isView(value)) return 'odd';
  const tag = Object.prototype.toString.call(value);
  switch (tag) {
    case '[object Map]':
      return has(mapSize, value) ? 'Map' : 'record';
    case '[object Set]':
      return has(setSize, value) ? 'Set' : 'record';
    case '[object Date]':
      return dateClass(value);
    default:
      return oddTags.has(tag) ? 'odd' : 'record';
  }
}

/** An invalid Date stands for no time, and has no text. */
function dateClass(value: object): ObjectClass {
  if (!has(dateTime, value)) return 'record';
  return Number.isNaN(dateTime.call(value)) ? 'invalid Date' : 'Date';
}

type Probe = (this: unknown) => unknown;

const mapSize = getterOf(Map.prototype);
const setSize = getterOf(Set.prototype);

const dateTime: Probe = Date.prototype.getTime;

function getterOf(prototype: object): Probe {
  return Object.getOwnPropertyDescriptor(prototype, 'size')?.get ?? (() => undefined);
}

/** Whether a value is what its tag says, which anybody can set: the methods of a class work on nothing else. */
function has(probe: Probe, value: object): boolean {
  try {
    probe.call(value);
    return true;
  } catch {
    return false;
  }
}
