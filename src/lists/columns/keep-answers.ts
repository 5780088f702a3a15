import type { Order } from '../list/order.js';
import { createTableScan } from '../query/scan/table-scan.js';
import { useAnswers } from '../query/scan/list-scan.js';
import { holdAnswers, type AnswerKeeper } from '../table/row-answers.js';

/** Has answers kept beside all rows that stand in this order, and lists use them. */
export function keepAnswers<T>(order: Order<T>, keeper: AnswerKeeper<T>): void {
  holdAnswers(order, keeper);
  useAnswers(createTableScan);
}
