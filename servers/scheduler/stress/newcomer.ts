/** Somebody else, in a process of their own: opens a connection, asks for a page, and again, until told to end. */
import { startNewcomers } from './stalls-stress.js';

const { stop } = startNewcomers(process.argv[2] ?? '');
process.send?.('started');
process.once('message', () => {
  void stop().then((waits) => process.send?.(waits, () => process.disconnect()));
});
