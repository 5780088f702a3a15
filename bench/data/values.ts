/*
 * Values of filters in turn, so that each filter is another one. Few rows have one, most of them match no row.
 *
 * They are interned: a literal in a program is one string with the equal ones of the rows, so a loop that takes its
 * value as a parameter must not be slower because the value was put together a moment ago.
 */

export function statusOf(turn: number): string {
  return intern(turn === 0 ? 'pending' : `status-${turn}`);
}

export function idOf(turn: number): string {
  return intern(`web-frontend-${turn}@default`);
}

export function namespaceOf(turn: number): string {
  return intern(`space-${turn}`);
}

export function datacenterOf(turn: number): string {
  return intern(`dc${turn}`);
}

export function architectureOf(turn: number): string {
  return intern(turn === 0 ? 'arm64' : `arm${turn}`);
}

export function regionOf(turn: number): string {
  return intern(`antarctica-west${turn}`);
}

export function groupOf(turn: number): string {
  return intern(turn === 0 ? 'cache' : `group-${turn}`);
}

/** What names begin with. */
export function startOf(turn: number): string {
  return intern(`web-frontend-${turn}`);
}

/** A part of names. */
export function subjectOf(turn: number): string {
  return intern(`frontend-${turn}`);
}

const interned = new Map<string, string>();

/** The keys of objects are interned. */
function intern(text: string): string {
  const known = interned.get(text);
  if (known !== undefined) return known;
  const [key = ''] = Object.keys({ [text]: true });
  interned.set(text, key);
  return key;
}
