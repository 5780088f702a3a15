import { memoryUsage } from 'node:process';
import { openInspector } from './inspector.js';

/** Bytes of heap from which it is worth it. */
const largeHeap = 128 * 2 ** 20;

/**
 * Releases the memory used by a large import or store, if there is much of it. The runtime would keep it until it is needed,
 * possibly forever. Everything else waits meanwhile, about a second for a gigabyte of rows.
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
