import { memoryUsage } from 'node:process';
import { openInspector } from './inspector.js';

/** Minimum heap size for a collection, in bytes. */
const largeHeap = 128 * 2 ** 20;

/**
 * Releases the memory used by a large import or store. Otherwise Node.js would keep it until needed, possibly forever. Everything
 * else waits meanwhile, about a second per gigabyte of rows.
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
