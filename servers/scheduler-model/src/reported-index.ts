import type { Allocation } from './allocation.js';

/** The index of the last change of an allocation that its node must hear of. Imported rows may say anything. */
export function reportedIndexOf({ AllocModifyIndex, ModifyIndex }: Allocation): number {
  return Math.min(Number(AllocModifyIndex), Number(ModifyIndex));
}
