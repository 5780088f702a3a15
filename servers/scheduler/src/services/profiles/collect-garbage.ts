import { memoryUsage } from 'node:process';
import { openInspector } from './inspector.js';

/** Bytes of heap from which it is worth it. */
const largeHeap = 128 * 2 ** 20;

/**
 * Gives the memory back that a large import or store has left behind, where there is much. The runtime would keep it for
 * as long as nobody needs its room, which may be for ever. All others wait, about a second for a gigabyte of rows.
 */
export async function collectGarbage(): Promise<void> {
  if (memoryUsage().heapTotal < largeHeap) return;
  const session = openInspector();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
