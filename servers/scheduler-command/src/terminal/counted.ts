/** Formats a count with its noun: `1 node`, `5,000 nodes`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
