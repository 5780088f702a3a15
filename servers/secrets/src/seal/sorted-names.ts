/** Maximum number of names of a part. Prevents an insertion from moving all names. */
const partLength = 512;

/** A set of names in bytewise order. */
export function createSortedNames(names: Iterable<string>) {
  const sorted = [...new Set(names)].map(toBytes).sort();
  /** Sorted parts in order. There is always at least one. */
  let parts: string[][] = [];
  for (let at = 0; at === 0 || at < sorted.length; at += partLength)
    parts.push(sorted.slice(at, at + partLength));

  /** Returns the index of the part for a name: the last one that begins at or before it, or the first. */
  function partOf(name: string): number {
    return Math.max(0, firstWhere(parts.length, (at) => (parts[at]?.[0] ?? '') > name) - 1);
  }

  const placeIn = (part: readonly string[], name: string): number =>
    firstWhere(part.length, (at) => (part[at] ?? '') >= name);

  return {
    add(text: string): void {
      const name = toBytes(text);
      const at = partOf(name);
      const part = parts[at] ?? [];
      const place = placeIn(part, name);
      if (part[place] === name) return;
      part.splice(place, 0, name);
      if (part.length < 2 * partLength) return;
      parts.splice(at + 1, 0, part.splice(partLength));
    },
    remove(text: string): void {
      const name = toBytes(text);
      const at = partOf(name);
      const part = parts[at] ?? [];
      const place = placeIn(part, name);
      if (part[place] !== name) return;
      part.splice(place, 1);
      if (part.length === 0 && parts.length > 1) parts = parts.filter((each) => each !== part);
    },
    /** Returns the names that begin with `prefix`, in order. */
    startingWith(text: string): readonly string[] {
      const prefix = toBytes(text);
      const found: string[] = [];
      for (let at = partOf(prefix); at < parts.length; at += 1) {
        const part = parts[at] ?? [];
        for (let place = placeIn(part, prefix); place < part.length; place += 1) {
          const name = part[place] ?? '';
          if (!name.startsWith(prefix)) return found;
          found.push(fromBytes(name));
        }
      }
      return found;
    },
  };
}

/** Returns the first number below `end` that meets a condition, by binary search; `end` if none exists. */
function firstWhere(end: number, condition: (at: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (condition(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns a string with one character per byte of a name, for comparison by bytes. */
function toBytes(name: string): string {
  return Buffer.from(name).toString('latin1');
}

function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
