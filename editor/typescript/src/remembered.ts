/**
 * Answers by a text, the ones asked for last. They are held in two generations: when the younger one is full, the older one
 * is let go, so that a file with more texts than fit is not asked about all over again because of one.
 */
export class Remembered<Result> {
  private young = new Map<string, Result>();
  private old = new Map<string, Result>();
  private length = 0;

  /** @param maxLength of the texts of a generation, in UTF-16 units */
  constructor(private readonly maxLength: number) {}

  /** The answer to a text; made where none is held. */
  get(key: string, make: () => Result): Result {
    const cached = this.young.get(key);
    if (cached !== undefined) return cached;
    const result = this.old.get(key) ?? make();
    if (this.length + key.length > this.maxLength) {
      this.old = this.young;
      this.young = new Map();
      this.length = 0;
    }
    this.young.set(key, result);
    this.length += key.length;
    return result;
  }
}
