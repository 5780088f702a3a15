/**
 * Results by string, the most recently requested ones. They are held in two generations: when the younger one is full, the older
 * one is dropped, so that one string too many does not evict all others of a file.
 */
export class Remembered<Result> {
  private young = new Map<string, Result>();
  private old = new Map<string, Result>();
  private length = 0;

  /** @param maxLength of the texts of a generation, in UTF-16 units */
  constructor(private readonly maxLength: number) {}

  /** Returns the result for a string; computes it if it is not cached. */
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
