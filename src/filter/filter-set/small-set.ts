/** A set with almost no overhead while it has one item, as most sets here do. */
export class SmallSet<Item extends string | object> {
  private one: Item | null = null;
  private many: Set<Item> | null = null;

  get size(): number {
    return this.many?.size ?? (this.one === null ? 0 : 1);
  }

  add(item: Item): void {
    if (this.many !== null) this.many.add(item);
    else if (this.one === null) this.one = item;
    else if (this.one !== item) {
      this.many = new Set([this.one, item]);
      this.one = null;
    }
  }

  delete(item: Item): void {
    if (this.one === item) this.one = null;
    this.many?.delete(item);
  }

  clear(): void {
    this.one = this.many = null;
  }

  forEach(visit: (item: Item) => void): void {
    if (this.one !== null) visit(this.one);
    else this.many?.forEach(visit);
  }
}
