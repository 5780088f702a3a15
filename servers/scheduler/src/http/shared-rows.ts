import type { SharedLists } from '@tamis/http';
import { createHeldRows, type HeldRows } from 'tamis/query';

/** The rows of all lists count together. */
const heldRows = new WeakMap<SharedLists, HeldRows>();

/** What is held of the lists that an agent shares between those who read them. */
export function heldRowsOf(lists: SharedLists): HeldRows {
  const known = heldRows.get(lists) ?? createHeldRows();
  heldRows.set(lists, known);
  return known;
}
