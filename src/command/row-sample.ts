/** Maximum number of rows kept, and maximum bytes of their input: they must not fill the memory. */
const maxRows = 10_000;
const maxBytes = 16 * 1024 * 1024;

/** The first rows of an input, kept until one of them matches: to find out why none did. */
export class RowSample {
  private sampled: object[] = [];
  private bytes = 0;
  private isFull = false;

  get rows(): readonly object[] {
    return this.sampled;
  }

  /** True if there were more rows than are kept. */
  get isCut(): boolean {
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
