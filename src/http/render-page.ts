import { createPrinter, jsonListText, type ListForm } from '../runtime/json-list.js';
import type { TimeSlicer } from '../runtime/time-slicer.js';
import { scanPage, type RowScan } from '../lists/query/result/row-scan.js';
import { turnPage, type TurnedPage } from '../lists/query/result/turned-page.js';
import { createListScan } from '../lists/query/scan/list-scan.js';
import type { RowReservation } from '../lists/query/source/row-budget.js';
import { scanRequestOf } from '../lists/query/source/row-source.js';
import type { RenderedPage } from './response-cache.js';

/** A page to search and render. */
export interface RenderRequest<T> extends RowScan<T> {
  readonly reservation: RowReservation;
  readonly form: ListForm<T>;
  /** Returns the stream of a list that is too long for one string, for one reader. */
  readonly stream: (
    items: readonly T[],
    form: ListForm<T>,
    reservation: RowReservation,
  ) => () => AsyncIterable<Uint8Array>;
}

/** Searches the page and renders it if it is short; synchronously if that takes at most one slice. */
export function renderPage<T>(
  { view, query, slices, reservation, form, stream }: RenderRequest<T>,
  signal: AbortSignal,
): RenderedPage | Promise<RenderedPage> {
  const { advance, pager } = createListScan(scanRequestOf(view, query, true));
  const turned = (): TurnedPage<T> => turnPage(query, pager.page(), view.sorted.order);
  let text: string | null = null;
  // The found rows count as buffered until then. Afterwards the readers of the stream reserve them.
  const work = slices.run((shouldYield) => {
    const isFound = advance(shouldYield);
    reservation.grow(pager.found);
    if (!isFound) return false;
    text = jsonListText(turned().items, form);
    return true;
  }, signal);
  const finish = (): RenderedPage => {
    const { items, ...tokens } = turned();
    return { body: text ?? stream(items, form, reservation), size: items.length, ...tokens };
  };
  if (work !== null) return work.finally(reservation.release).then(finish);
  reservation.release();
  return finish();
}

/** Returns up to `count` rows from the start of the page. */
export async function findRows<T>(
  { query, ...job }: Pick<RenderRequest<T>, 'view' | 'query' | 'slices' | 'reservation'>,
  count: number,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const { page } = await scanPage({ ...job, query: { ...query, perPage: count } }, signal);
  return page.items;
}

/** Size of a chunk of a stream, in bytes: large enough for a socket, and small enough not to delay other requests. */
const pieceLength = 65_536;

/** Renders a long list in slices, separately for each reader. The rows count as buffered from the first reader to the last. */
export function streamList(
  slices: TimeSlicer,
): <T>(
  items: readonly T[],
  form: ListForm<T>,
  reservation: RowReservation,
) => () => AsyncIterable<Uint8Array> {
  return (items, form, reservation) => {
    let readers = 0;
    return async function* read() {
      if (readers === 0) reservation.grow(items.length);
      readers += 1;
      try {
        const encoder = new TextEncoder();
        const printer = createPrinter(items, form);
        while (!printer.isDone) {
          await slices.run(
            (shouldYield) => printer.print(pieceLength, shouldYield) || printer.length >= pieceLength,
            null,
            'further',
          );
          yield encoder.encode(printer.take());
        }
      } finally {
        readers -= 1;
        if (readers === 0) reservation.release();
      }
    };
  };
}
