/** Bytes of the heap that are in use when all garbage is collected. @throws Error where it cannot be. */
export function bytesUsed(): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('the process must be started with --expose-gc');
  // Twice: what the first collection finds to be finalised goes with the second.
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}
