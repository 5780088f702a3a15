/** Number of allocations processed between two pauses. A group may have tens of thousands. */
const lookedAtOnce = 256;

/** Whether to pause at this position of a list. */
export function isPause(at: number): boolean {
  return at % lookedAtOnce === lookedAtOnce - 1;
}
