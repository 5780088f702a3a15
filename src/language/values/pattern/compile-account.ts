import { PatternLimitError } from './pattern-error.js';

/** What the set of a name of Unicode's takes to find. */
const nameCost = 50_000;

/**
 * What compiling the patterns of one filter has cost, in steps of about 10 ns. Charged before the work or as it is done, by
 * what the patterns are and never by a clock, so that a filter costs the same whatever was compiled before it.
 */
export class CompileAccount {
  /** Without the names. */
  work = 0;
  private readonly names = new Set<string>();

  /** @param most Most steps. */
  constructor(private readonly most: number) {}

  get spent(): number {
    return this.work + nameCost * this.names.size;
  }

  /** @throws PatternLimitError where that is more than there is. */
  pay(steps: number): void {
    this.work += steps;
    if (this.spent > this.most) throw new PatternLimitError('too-many-compile-steps', this.most);
  }

  /** Pays for a class of Unicode's: once, as its set is kept. */
  payForName(name: string): void {
    this.names.add(name);
    this.pay(0);
  }
}
