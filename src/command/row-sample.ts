/** Maximum number of buffered rows, and maximum size of their input, in bytes. Prevents them from filling the memory. */
const maxRows = 10_000;
const maxBytes = 16 * 1024 * 1024;

/** The first rows of an input, buffered until one matches, to explain an empty result. */
export class RowSample {
  private sampled: object[] = [];
  private bytes = 0;
  private isFull = false;

  get rows(): readonly object[] {
    return this.sampled;
  }

  /** Whether there were more rows than are buffered. */
  get isTruncated(): boolean {
    return this.isFull;
  }

  add(row: object, bytes: number): void {
    this.isFull ||= this.sampled.length >= maxRows || this.bytes + bytes > maxBytes;
    if (this.isFull) return;
    this.sampled.push(row);
    this.bytes += bytes;
  }

  /** Discards the sample: a row matched, so no explanation is needed. */
  forget(): void {
    this.sampled = [];
    this.isFull = true;
  }
}
