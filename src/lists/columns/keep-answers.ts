import type { Order } from '../list/order.js';
import { createTableScan } from '../query/scan/table-scan.js';
import { useAnswers } from '../query/scan/list-scan.js';
import { holdAnswers, type AnswerKeeper } from '../table/row-answers.js';

/** Attaches columns to all rows in this order, and makes lists use them. */
export function keepAnswers<T>(order: Order<T>, keeper: AnswerKeeper<T>): void {
  holdAnswers(order, keeper);
  useAnswers(createTableScan);
}
