export { dataFolder, readLines, readSuite, skipReasons } from './data.mjs';
export { judge, readProgram, formatAnswer, whySkip } from './judge.mjs';
export { converse } from './program.mjs';
export { badgeOf, renderText, tally, toJson } from './report.mjs';
export { readRow } from './row.mjs';
export { sentencesOf } from './sentences.mjs';

/** @typedef {import('./data.mjs').Answer} Answer */
/** @typedef {import('./data.mjs').Case} Case */
/** @typedef {import('./data.mjs').Suite} Suite */
/** @typedef {import('./judge.mjs').Program} Program */
/** @typedef {import('./report.mjs').Report} Report */
