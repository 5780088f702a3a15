/** Most rows that are kept, and most bytes of input that they come from: what is kept must not fill the memory. */
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

  /** True where there were more rows than are kept. */
  get isCut(): boolean {
    return this.isFull;
  }

  add(row: object, bytes: number): void {
    this.isFull ||= this.sampled.length >= maxRows || this.bytes + bytes > maxBytes;
    if (this.isFull) return;
    this.sampled.push(row);
    this.bytes += bytes;
  }

  /** Something matched, so that nobody will ask. */
  forget(): void {
    this.sampled = [];
    this.isFull = true;
  }
}
