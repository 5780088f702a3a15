import { createPrinter, jsonListText, type ListForm } from '../runtime/json-list.js';
import type { Slices } from '../runtime/slices.js';
import { searchRows, type AskedRows } from '../lists/query/result/asked-rows.js';
import { createListScan } from '../lists/query/scan/list-scan.js';
import type { Held } from '../lists/query/source/held-rows.js';
import { scanRequestOf } from '../lists/query/source/row-source.js';
import type { MadeList } from './answer-cache.js';

/** A page to search and render. */
export interface PageJob<T> extends AskedRows<T> {
  readonly held: Held;
  readonly form: ListForm<T>;
  /** Returns the stream of a list that is too long for one string, for one reader. */
  readonly stream: (items: readonly T[], form: ListForm<T>, held: Held) => () => AsyncIterable<Uint8Array>;
}

/** Searches the page and, if it is short, renders it: at once if that takes no longer than a slice. */
export function makePage<T>(
  { view, question, slices, held, form, stream }: PageJob<T>,
  signal: AbortSignal,
): MadeList | Promise<MadeList> {
  const { advance, pager } = createListScan(scanRequestOf(view, question));
  let text: string | null = null;
  // The rows found count as buffered meanwhile; after that, the readers of the stream account for them.
  const work = slices.run((isOver) => {
    const isFound = advance(isOver);
    held.grow(pager.found);
    if (!isFound) return false;
    text = jsonListText(pager.page().items, form);
    return true;
  }, signal);
  const finish = (): MadeList => {
    const { items, nextToken } = pager.page();
    return { body: text ?? stream(items, form, held), nextToken };
  };
  if (work !== null) return work.finally(held.release).then(finish);
  held.release();
  return finish();
}

/** Returns up to this many rows from the beginning of the page. */
export async function findRows<T>(
  { question, ...job }: Pick<PageJob<T>, 'view' | 'question' | 'slices' | 'held'>,
  count: number,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const { page } = await searchRows({ ...job, question: { ...question, perPage: count } }, signal);
  return page.items;
}

/** Bytes of a stream's chunk: enough for a socket, too few to delay other requests. */
const pieceLength = 65_536;

/**
 * Renders a long list in slices while it is read, separately for each reader. The rows count as buffered from the first reader
 * to the last.
 */
export function streamList(
  slices: Slices,
): <T>(items: readonly T[], form: ListForm<T>, held: Held) => () => AsyncIterable<Uint8Array> {
  return (items, form, held) => {
    let readers = 0;
    return async function* read() {
      if (readers === 0) held.grow(items.length);
      readers += 1;
      try {
        const encoder = new TextEncoder();
        const printer = createPrinter(items, form);
        while (!printer.isDone) {
          await slices.run(
            (isOver) => printer.print(pieceLength, isOver) || printer.length >= pieceLength,
            null,
            'further',
          );
          yield encoder.encode(printer.take());
        }
      } finally {
        readers -= 1;
        if (readers === 0) held.release();
      }
    };
  };
}
