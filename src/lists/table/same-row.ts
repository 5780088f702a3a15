/**
 * Whether two values of rows are equal. A number and a bigint differ, because responses show them differently; 0 and -0 are
 * equal.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b);
  if (Array.isArray(b)) return false;
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && Object.is(a.getTime(), b.getTime());
  }
  if (isIterable(a) || isIterable(b)) {
    return isIterable(a) && isIterable(b) && a.constructor === b.constructor && isSameList([...a], [...b]);
  }
  // A loop, because lists of names would take up several times the memory and the time.
  let names = 0;
  for (const name in a) {
    if (!Object.hasOwn(a, name)) continue;
    if (!Object.hasOwn(b, name) || !isSameValue(a[name as keyof object], b[name as keyof object]))
      return false;
    names += 1;
  }
  for (const name in b) if (Object.hasOwn(b, name)) names -= 1;
  return names === 0;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, at) => isSameValue(each, b[at]));
}

/** Whether a value is a Map or a Set, which fields of type `any` may contain. */
function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}
