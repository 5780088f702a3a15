// Rarely used features of lists, in one chunk that is loaded on demand. Separate chunks would share code, and every list would
// load the shared files. `index.ts` must not export these: bundlers would include them in the initial chunk.
export { countRows } from './result/counted-rows.js';
export { explainRows } from './result/explained-rows.js';
export { countList, countPage, countTotal, explainList } from './list-aggregates.js';
export { openResultWatches, openWaits } from './watch/list-waits.js';
export { findChanges } from './watch/result-changes.js';
export { failureTest, filterTest, pageBounds } from './watch/watched-query.js';
export { changesUpTo, watchResult } from './watch/result-watch.js';
export { rowUpdates } from './watch/row-updates.js';
export { watchList } from './watch-list.js';
