/** Maximum number of rows of a list in one string. */
const rowsInOneText = 256;
/** Maximum length of that string, in UTF-16 units. Rows may be large themselves. */
const maxTextLength = 262_144;
/** How an array is serialised. `write` returns the JSON of one entry, indented by one level if `pretty`. */
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

/** Prints an array item by item. */
export interface ListPrinter {
  /** Adds items until the string has this length or `shouldYield` returns true. Returns true when all items are printed. */
  print(length: number, shouldYield: () => boolean): boolean;
  /** Returns the string printed since the last call. */
  take(): string;
  readonly length: number;
  readonly isDone: boolean;
  /** Index of the next item. */
  readonly at: number;
}

/** Creates a printer that continues an array at an item. */
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
