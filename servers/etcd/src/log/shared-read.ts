/**
 * A read shared by concurrent callers. A call during a read waits for the next one, because the current one may have been served
 * before the call.
 */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;

  function begin(): Promise<T> {
    next = undefined;
    const own = read();
    const ended = own.then(
      () => undefined,
      () => undefined,
    );
    running = ended;
    void ended.then(() => {
      if (running === ended) running = undefined;
    });
    return own;
  }

  return () => {
    if (running === undefined) return begin();
    next ??= running.then(begin);
    return next;
  };
}
