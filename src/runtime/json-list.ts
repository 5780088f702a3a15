/** Rows up to which a list can be one string. */
const rowsInOneText = 256;
/** Characters up to which it can: rows may be large themselves. */
const maxTextLength = 262_144;
/** How an array is written down. `write` gives the JSON of one entry, indented by one level when `pretty`. */
export interface ListForm<T> {
  readonly write: (item: T) => string;
  readonly pretty: boolean;
}

/** Returns the JSON of an array as one string; null if it would be long and must be streamed. */
export function jsonListText<T>(items: readonly T[], form: ListForm<T>): string | null {
  if (items.length > rowsInOneText) return null;
  const printer = createPrinter(items, form);
  return printer.print(maxTextLength, () => false) ? printer.take() : null;
}

/** An array that is printed item by item. */
export interface ListPrinter {
  /** Adds items to the text until it has this length or `isOver` says so; true when everything is there. */
  print(length: number, shouldYield: () => boolean): boolean;
  /** The text made since the last time. */
  take(): string;
  readonly length: number;
  readonly isDone: boolean;
  /** The next item. */
  readonly at: number;
}

/** Prints an array from an item on, as the rest of the text that the items before it have begun. */
export function createPrinter<T>(
  items: readonly T[],
  { write, pretty }: ListForm<T>,
  start = 0,
): ListPrinter {
  const newline = pretty ? '\n    ' : '';
  let at = start;
  let text = start === 0 ? '[' : '';
  let isDone = false;
  return {
    print(length, shouldYield) {
      while (at < items.length) {
        if (text.length >= length || shouldYield()) return false;
        text += `${at === 0 ? '' : ','}${newline}${write(items[at] as T)}`; // at < items.length
        at += 1;
      }
      if (!isDone) text += `${pretty && items.length > 0 ? '\n' : ''}]${pretty ? '\n' : ''}`;
      isDone = true;
      return true;
    },
    take() {
      const made = text;
      text = '';
      return made;
    },
    get length() {
      return text.length;
    },
    get isDone() {
      return isDone;
    },
    get at() {
      return at;
    },
  };
}
