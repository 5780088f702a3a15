import { parseDocument, isNode } from 'yaml';

/** One place that a path leads to. */
export interface Found {
  readonly keys: readonly (string | number)[];
  readonly value: unknown;
}

/**
 * All places that a dotted path leads to: numbers index lists, `*` is every element, `name[K=V]` the elements of a
 * list whose field K is the text V. The empty path is the whole value.
 */
export function findPath(root: unknown, path: string): readonly Found[] {
  return stepsOf(path).reduce<readonly Found[]>(
    (places, step) => places.flatMap((place) => follow(place, step)),
    [{ keys: [], value: root }],
  );
}

/** Whether a path can lead to many places, or to none without being wrong. */
export function isMany(path: string): boolean {
  return stepsOf(path).includes('*');
}

/** Dots inside brackets belong to the value that is looked for. */
function stepsOf(path: string): readonly string[] {
  return path.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
}

function follow({ keys, value }: Found, step: string): readonly Found[] {
  const selector = /^\[([^=]*)=(.*)\]$/s.exec(step);
  const entries = entriesOf(value);
  const chosen = entries.filter(([key, item]) =>
    selector === null
      ? step === '*' || String(key) === step
      : entriesOf(item).some(([name, field]) => name === selector[1] && String(field) === selector[2]),
  );
  return chosen.map(([key, item]) => ({ keys: [...keys, key], value: item }));
}

function entriesOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item, at) => [at, item] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** The JSON source of a value. JSON is YAML, whose parser keeps the positions of nodes. */
export function sourceOf(source: string, { keys }: Found): string {
  const node = keys.length === 0 ? parseDocument(source).contents : parseDocument(source).getIn(keys, true);
  if (!isNode(node) || !node.range) return '';
  return source.slice(node.range[0], node.range[1]);
}
