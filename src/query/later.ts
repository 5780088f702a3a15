// What not every list is asked for, in one part that is loaded when it is: parts of their own would share pieces, and each
// piece is a file that comes with every list. For the same reason `index.ts` exports nothing of this: bundlers keep what an
// entry names in the part that is loaded first.
export { countRows } from './counted-rows.js';
export { explainRows } from './explained-rows.js';
export { countList, explainList } from './list-told.js';
export { openResultWatches, openWaits } from './list-waits.js';
export { findChanges } from './result-changes.js';
export { failureTest, filterTest, pageBounds } from './result-question.js';
export { changesUpTo, watchResult } from './result-watch.js';
export { rowTouches } from './row-touches.js';
export { watchList } from './watch-list.js';
