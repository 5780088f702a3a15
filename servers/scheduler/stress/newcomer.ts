/** An independent client in a separate process: repeatedly opens a connection and requests a page, until stopped. */
import { startNewcomers } from './stalls-stress.js';

const { stop } = startNewcomers(process.argv[2] ?? '');
process.send?.('started');
process.once('message', () => {
  void stop().then((waits) => process.send?.(waits, () => process.disconnect()));
});
