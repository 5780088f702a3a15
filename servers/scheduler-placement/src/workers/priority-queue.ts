/** A queue that returns the first item by `isBefore`, in logarithmic time. */
export interface PriorityQueue<T> {
  push(item: T): void;
  /** Returns the first item without removing it. */
  peek(): T | undefined;
  pop(): T | undefined;
  readonly size: number;
}

/** @param isBefore a strict order; the order of equal items is undefined. */
export function createPriorityQueue<T>(isBefore: (a: T, b: T) => boolean): PriorityQueue<T> {
  /** A binary heap: the children of the item at `n` are at `2n + 1` and `2n + 2`. */
  const heap: T[] = [];

  function rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  function sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const first = right < heap.length && isBefore(heap[right] as T, heap[left] as T) ? right : left;
      if (!swapIfBefore(first, at)) return;
      at = first;
    }
  }

  /** Both positions are within the heap. */
  function swapIfBefore(at: number, other: number): boolean {
    const item = heap[at] as T;
    const otherItem = heap[other] as T;
    if (!isBefore(item, otherItem)) return false;
    heap[at] = otherItem;
    heap[other] = item;
    return true;
  }

  return {
    push(item) {
      heap.push(item);
      rise(heap.length - 1);
    },
    peek: () => heap[0],
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length > 0) {
        heap[0] = last as T; // The heap was not empty, so this item exists.
        sink();
      }
      return first;
    },
    get size() {
      return heap.length;
    },
  };
}
