import type { Order } from '../list/order.js';
import { createTableScan } from '../query/scan/table-scan.js';
import { useMatchers } from '../query/scan/list-scan.js';
import { setMatchCache, type MatchCache } from '../table/row-matcher.js';

/** Attaches columns to all rows in this order, and makes lists use them. */
export function attachColumns<T>(order: Order<T>, cache: MatchCache<T>): void {
  setMatchCache(order, cache);
  useMatchers(createTableScan);
}
