import type { Allocation } from './allocation.js';

/** Returns the index of the last change to an allocation that its node must receive. Imported rows may have any value. */
export function reportedIndexOf({ AllocModifyIndex, ModifyIndex }: Allocation): number {
  return Math.min(Number(AllocModifyIndex), Number(ModifyIndex));
}
