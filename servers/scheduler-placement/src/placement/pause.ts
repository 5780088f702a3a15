/** Allocations that are looked at between two pauses: a group may have tens of thousands. */
const lookedAtOnce = 256;

/** Whether it is time for a pause, at this place of a list. */
export function isPause(at: number): boolean {
  return at % lookedAtOnce === lookedAtOnce - 1;
}
