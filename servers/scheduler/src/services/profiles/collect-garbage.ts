import { memoryUsage } from 'node:process';
import { openInspector } from './inspector.js';

/** Minimum heap size for a collection, in bytes. */
const largeHeap = 128 * 2 ** 20;

/**
 * Collects garbage after a large import or load. Otherwise Node.js would keep that memory until it is needed, possibly forever.
 * Blocks all other work for about a second per gigabyte of rows.
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
