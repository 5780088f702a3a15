/** Whether rows arrive asynchronously; false for rows that can be read at once. */
export function isArriving<T>(rows: Iterable<T> | AsyncIterable<T>): rows is AsyncIterable<T> {
  return (
    typeof rows === 'object' && rows !== null && Symbol.asyncIterator in rows && !(Symbol.iterator in rows)
  );
}
