/**
 * One read for all who wait. Whoever asks while one is under way waits for the next: that one may have been answered
 * before the question.
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
