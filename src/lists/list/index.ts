export { compareBytewise } from '../../language/values/utf8-order.js';
export {
  ListQueryError,
  type ListParameter,
  type ListQueryErrorCode,
  type ListQueryErrorJSON,
} from './errors.js';
export { list } from './list.js';
export { compareKeys, keyOf, type Key, type Order } from './order.js';
export { createPager, type Page, type Pager } from './pager.js';
export type { ListQuery, PagerQuery, RowTest } from './query.js';
