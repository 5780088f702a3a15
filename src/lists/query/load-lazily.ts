// Rarely used features of lists, in one chunk that is loaded on demand: separate chunks would share pieces, and each piece is a
// file that every list loads. For the same reason `index.ts` exports nothing of this: bundlers keep what an
// entry names in the part that is loaded first.
export { countRows } from './result/counted-rows.js';
export { explainRows } from './result/explained-rows.js';
export { countList, explainList } from './list-aggregates.js';
export { openResultWatches, openWaits } from './watch/list-waits.js';
export { findChanges } from './watch/result-changes.js';
export { failureTest, filterTest, pageBounds } from './watch/watched-query.js';
export { changesUpTo, watchResult } from './watch/result-watch.js';
export { rowUpdates } from './watch/row-updates.js';
export { watchList } from './watch-list.js';
