/** Receives the progress of long work. */
export interface ProgressListener {
  /** Before the first item. */
  readonly begin: () => void;
  /** @param count items so far; called every few hundred of them. */
  readonly step: (count: number) => void;
  /** After the last item: further processing may take long as well. */
  readonly end: (count: number) => void;
}

/** Items between two steps. */
const stepLength = 500;

/** Passes items on and reports their number. */
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
