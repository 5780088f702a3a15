/** Returns a function that creates a value on first use and caches it. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Returns a function of one argument that is created on its first call. */
export function lazily<A, R>(make: () => (argument: A) => R): (argument: A) => R {
  const made = lazy(make);
  return (argument) => made()(argument);
}
