/** Choices, one after another. The first of what there is to choose from is the simplest. */
export class Draw {
  readonly #next: (bound: number) => number;

  /** @param next from 0 up to but not including the bound */
  constructor(next: (bound: number) => number) {
    this.#next = next;
  }

  below(bound: number): number {
    return this.#next(bound);
  }

  oneIn(count: number): boolean {
    return this.below(count) === count - 1;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('nothing to pick from');
    return list[this.below(list.length)] as T;
  }

  /** One of several ways to go on, each as often as its weight says. */
  either<T>(...ways: readonly (readonly [weight: number, way: () => T])[]): T {
    let rest = this.below(ways.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, way] of ways) {
      if (rest < weight) return way();
      rest -= weight;
    }
    throw new RangeError('no way to go on');
  }

  /** From `least` to `most` of them. */
  list<T>(min: number, max: number, make: () => T): T[] {
    return Array.from({ length: min + this.below(max - min + 1) }, make);
  }
}

/** Choices from a list; when it ends, the simplest. */
export function replay(choices: readonly number[]): Draw {
  let at = 0;
  return new Draw((bound) => (choices[at++] ?? 0) % bound);
}
