/** Told of how far work has come that may take long. */
export interface ProgressListener {
  /** Before the first item. */
  readonly begin: () => void;
  /** @param count items so far; told every few hundred of them. */
  readonly step: (count: number) => void;
  /** Behind the last item: what is made of all of them may take long as well. */
  readonly end: (count: number) => void;
}

/** Items between two steps. */
const stepLength = 500;

/** Passes items on and tells how many there were. */
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
