/** Receives the progress of long work. */
export interface ProgressListener {
  /** Called before the first item. */
  readonly begin: () => void;
  /** @param count items so far; called every few hundred items. */
  readonly step: (count: number) => void;
  /** Called after the last item; further processing may take long as well. */
  readonly end: (count: number) => void;
}

/** Number of items between two steps. */
const stepLength = 500;

/** Yields items unchanged and reports their number. */
export async function* countItems<T>(
  items: AsyncIterable<T>,
  { begin, step, end }: ProgressListener,
): AsyncGenerator<T> {
  let count = 0;
  begin();
  for await (const item of items) {
    yield item;
    count += 1;
    if (count % stepLength === 0) step(count);
  }
  end(count);
}
