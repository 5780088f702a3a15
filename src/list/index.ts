export { compareBytewise } from './byte-order.js';
export {
  ListQueryError,
  type ListParameter,
  type ListQueryErrorCode,
  type ListQueryErrorJSON,
} from './errors.js';
export { list, type Page } from './list.js';
export type { Order } from './order.js';
export type { ListQuery, RowTest } from './query.js';
