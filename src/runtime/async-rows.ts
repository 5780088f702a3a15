/** Whether rows arrive one by one: what can be read at once is. */
export function isArriving<T>(rows: Iterable<T> | AsyncIterable<T>): rows is AsyncIterable<T> {
  return (
    typeof rows === 'object' && rows !== null && Symbol.asyncIterator in rows && !(Symbol.iterator in rows)
  );
}
