/** Bytes of UTF-8. An unpaired surrogate, which has no UTF-8, sorts above U+FFFF. */
export function compareTexts(a: string, b: string): number {
  if (!/\p{Cs}/u.test(a + ' ' + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  const [left, right] = [a, b].map(ranks) as [number[], number[]];
  for (const [index, rank] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (rank !== other) return rank - other;
  }
  return left.length - right.length;
}

/** The units of a string; surrogates sort above all others. */
function ranks(text: string): number[] {
  return text.split('').map((unit) => unit.charCodeAt(0) + (/[\ud800-\udfff]/.test(unit) ? 0x1_0000 : 0));
}

/** Whether two code points are one without regard to case: simple folding, of one point to one point. */
function isSameFolded(a: string, b: string): boolean {
  if (a === b) return true;
  const key = `${a} ${b}`;
  let known = folded.get(key);
  if (known === undefined) {
    const code = (a.codePointAt(0) ?? 0).toString(16);
    known = new RegExp(`^\\u{${code}}$`, 'iu').test(b);
    folded.set(key, known);
  }
  return known;
}

const folded = new Map<string, boolean>();

type Same = (a: string, b: string) => boolean;

const sameOf = (ignoreCase: boolean): Same => (ignoreCase ? isSameFolded : (a, b) => a === b);

export function equalTexts(a: string, b: string, ignoreCase: boolean): boolean {
  const [left, right] = [[...a], [...b]];
  const isSame = sameOf(ignoreCase);
  return left.length === right.length && left.every((point, index) => isSame(point, right[index] ?? ''));
}

export function startsWith(text: string, start: string, ignoreCase: boolean): boolean {
  return equalTexts([...text].slice(0, [...start].length).join(''), start, ignoreCase);
}

export function endsWith(text: string, end: string, ignoreCase: boolean): boolean {
  const points = [...text];
  return equalTexts(points.slice(Math.max(0, points.length - [...end].length)).join(''), end, ignoreCase);
}

export function includesText(text: string, part: string, ignoreCase: boolean): boolean {
  if (!ignoreCase) return text.includes(part);
  const points = [...text];
  return [...points, ''].some((_, index) => startsWith(points.slice(index).join(''), part, true));
}

/** A part of a glob: one code point, any one of them, or any run of them. */
type GlobPart = 'one' | 'run' | { readonly point: string };

/** The parts of a glob; null for one that ends in a lone backslash. */
function partsOf(glob: string): GlobPart[] | null {
  const parts: GlobPart[] = [];
  const points = [...glob];
  for (let at = 0; at < points.length; at += 1) {
    const point = points[at] ?? '';
    if (point === '*') parts.push('run');
    else if (point === '?') parts.push('one');
    else if (point !== '\\') parts.push({ point });
    else {
      at += 1;
      const escaped = points[at];
      if (escaped === undefined) return null;
      parts.push({ point: escaped });
    }
  }
  return parts;
}

export function isGlob(glob: string): boolean {
  return partsOf(glob) !== null;
}

/** Whether a glob matches the whole of a string. */
export function isLike(text: string, glob: string, ignoreCase: boolean): boolean {
  const parts = partsOf(glob) ?? [];
  const points = [...text];
  const isSame = sameOf(ignoreCase);
  // reached[n]: the parts so far match the first n code points.
  let reached = points.map(() => false);
  reached.unshift(true);
  for (const part of parts) {
    const before = reached;
    reached = before.map((_, end) => {
      if (part === 'run') return before.slice(0, end + 1).includes(true);
      const point = points[end - 1];
      if (point === undefined || before[end - 1] !== true) return false;
      return part === 'one' || isSame(part.point, point);
    });
  }
  return reached[points.length] === true;
}
