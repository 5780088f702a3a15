import { foldName } from '../base/fold.js';
import { canonicalPath, type PathAlias, type PathAliases } from '../policies/access.js';
import type { Mount } from './endpoint-table.js';

/** The path of a row, split into literal parts and placeholders. */
interface Template {
  readonly fixed: readonly string[];
  /** The placeholder at the end: none, for one segment, or for one or more segments. */
  readonly rest: '' | ':name' | ':rest';
}

/**
 * Returns a function that returns all aliases of a path, for the rows of all tables. A path without aliases only has itself. Case
 * is ignored, as in policies, and a slash at the end is kept.
 *
 * @throws TypeError for an alias of a path that its table does not have
 */
export function createPathAliases(mounts: readonly Mount<unknown>[]): PathAliases {
  const families = mounts.flatMap(familiesOf);
  const maxLength = Math.max(0, ...families.flat().map(({ fixed }) => fixed.length));
  return (path) => {
    const head = path.split('/', maxLength);
    if (!families.some((family) => family.some(({ fixed }) => startsWith(head, fixed))))
      return canonicalPath(path);
    const written = path.split('/');
    const end = written.length > 1 && written[written.length - 1] === '' ? [''] : [];
    const segments = written.slice(0, written.length - end.length);
    for (const family of families) {
      const mine = family.find((template) => leadsTo(template, segments));
      if (mine === undefined) continue;
      const rest = [...segments.slice(mine.fixed.length), ...end];
      const spell = ({ fixed }: Template): PathAlias => {
        return { path: [...fixed, ...rest].join('/'), fixed: fixed.length };
      };
      return family.map((template) => (template === mine ? { ...spell(mine), path } : spell(template)));
    }
    return canonicalPath(path);
  };
}

/** Returns the groups of rows that are aliases of each other. */
function familiesOf({ prefix, rows }: Mount<unknown>): readonly (readonly Template[])[] {
  const named = new Map<string, string[]>();
  for (const { path, aliasOf } of rows) {
    if (aliasOf === undefined) continue;
    if (!rows.some((row) => row.path === aliasOf)) throw new TypeError(`${prefix}${aliasOf} is no path`);
    named.set(aliasOf, [...(named.get(aliasOf) ?? [aliasOf]), path]);
  }
  return [...named.values()].map((paths) => paths.map((path) => templateOf(prefix + path)));
}

function templateOf(path: string): Template {
  const segments = path.replace(/\/\?$/, '').split('/');
  const last = segments[segments.length - 1];
  const rest = last === ':name' || last === ':rest' ? last : '';
  return { fixed: rest === '' ? segments : segments.slice(0, -1), rest };
}

function leadsTo({ fixed, rest }: Template, segments: readonly string[]): boolean {
  const others = segments.length - fixed.length;
  const hasRest = rest === '' ? others === 0 : rest === ':name' ? others === 1 : others > 0;
  return hasRest && startsWith(segments, fixed);
}

function startsWith(segments: readonly string[], names: readonly string[]): boolean {
  return names.every((name, at) => foldName(segments[at] ?? '') === foldName(name));
}
