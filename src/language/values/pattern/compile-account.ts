import { PatternLimitError } from './pattern-error.js';

/** Cost of finding the set of a Unicode name. */
const nameCost = 50_000;

/**
 * The cost of compiling the patterns of one filter, in steps of about 10 ns. Charged before or during the work, by properties of
 * the patterns and never by a clock, so that a filter costs the same whatever was compiled before it.
 */
export class CompileBudget {
  /** Steps charged, without those for names. */
  work = 0;
  private readonly names = new Set<string>();

  /** @param max Maximum number of steps. */
  constructor(private readonly max: number) {}

  get spent(): number {
    return this.work + nameCost * this.names.size;
  }

  /** Whether steps and names can be charged without exceeding the maximum. */
  allows(steps: number, names: ReadonlySet<string>): boolean {
    let added = 0;
    for (const name of names) if (!this.names.has(name)) added += 1;
    return this.spent + steps + nameCost * added <= this.max;
  }

  /** Charges steps. @throws PatternLimitError if the maximum is exceeded. */
  charge(steps: number): void {
    this.work += steps;
    if (this.spent > this.max) throw new PatternLimitError('too-many-compile-steps', this.max);
  }

  /** Charges a Unicode class: once, because its set is cached. */
  chargeName(name: string): void {
    this.names.add(name);
    this.charge(0);
  }
}
