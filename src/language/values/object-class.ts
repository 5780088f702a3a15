/**
 * The class of an object as data. `record`: its properties are its entries; `odd` and `invalid Date`: not data. Objects of
 * another realm, such as a frame or a test runner's context, are classified like those of this one.
 */
export type ObjectClass = 'record' | 'Map' | 'Set' | 'Date' | 'invalid Date' | 'odd';

/** Objects that are not data, by their `Object.prototype.toString` tag. */
const oddTags: ReadonlySet<string> = new Set(
  [
    ...['ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Promise', 'WeakMap', 'WeakSet', 'WeakRef', 'RegExp'],
    ...['Boolean', 'Number', 'String', 'Symbol', 'BigInt'],
  ].map((name) => `[object ${name}]`),
);

/** Whether a value is certainly a record. This is the cheapest test. */
export function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns the class of an object that is not an array. */
export function classOf(value: object): ObjectClass {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Nearly every object passes here. The others are examined more closely.
  if (prototype === Object.prototype || prototype === null) return 'record';
  // Built-in prototypes are tested first, because reading a tag takes ten times as long, and the body of a collection may need
  // the class each time.
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

/** Returns the class of a Date. An invalid Date has no time and no string. */
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

/**
 * Whether a value really has the class of its tag. Any program can set a tag, but the methods of a class fail for other objects.
 */
function has(probe: Probe, value: object): boolean {
  try {
    probe.call(value);
    return true;
  } catch {
    return false;
  }
}
