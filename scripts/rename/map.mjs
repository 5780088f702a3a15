// The map: which name becomes which. Lines of map/*.tsv: kind, where, old, new; several new names are tried in order.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './program.mjs';

const folder = join(root, 'scripts/rename/map');

/**
 * Reads entries of the map. `kind` is `type`, `function`, `value` (variables and parameters), `member` or `*`. `where` is `*` or the
 * beginning of the path of the declaration, in which `*` matches a part of one name; `path#Name` is one declaration's members.
 * The new name `-` keeps a name. `literal` is for names in string literals, `text` for any text of a file (tabs and `|` excepted).
 */
export function readMap(files = mapFiles()) {
  return files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((line, at) => [line, at + 1])
      .filter(([line]) => line !== '' && !line.startsWith('#'))
      .map(([line, number]) => {
        const [kind, where, old, names, reason] = line.split('\t');
        if (names === undefined) throw new Error(`${file}:${number}: four columns expected`);
        const [path, container] = where.split('#');
        return {
          kind,
          where,
          path,
          container,
          old,
          names: names.split('|'),
          reason,
          file,
          number,
          uses: 0,
          test: testOf(path),
        };
      }),
  );
}

export function mapFiles() {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.tsv') && !/^(files|codes|allowed)\./.test(file))
    .sort();
}

function testOf(path) {
  if (path === '*') return () => true;
  const isMoved = /\.\w+$/.test(path) && !existsSync(join(root, path));
  if (isMoved) {
    const [first, second] = path.split('/');
    return (file) => file.startsWith(`${first}/${second}/`) && basename(file) === basename(path);
  }
  if (!path.includes('*')) return (file) => file.startsWith(path);
  const pattern = new RegExp(
    `^${path
      .split('*')
      .map((part) => part.replace(/[.\\/-]/g, '\\$&'))
      .join('[^/]*')}`,
  );
  return (file) => pattern.test(file);
}

const isTest = (file) => /(^|\/)(test|stress|bench|demo|examples)\//.test(file);

export function categoryOf({ kinds }) {
  const has = (...names) => names.some((name) => kinds.includes(name));
  if (has('type', 'class', 'typeParameter')) return 'type';
  if (has('property', 'method', 'enumMember')) return 'member';
  return has('function') ? 'function' : 'value';
}

/** New names of types and functions: an earlier section may have renamed the declaration that `where` names. */
const renamed = new Map();

/** Creates a lookup of the entry for a group: the longest `where` decides, then the kind. */
export function createLookup(entries) {
  for (const { kind, old, names } of readMap()) {
    if (kind === 'type' || kind === 'function') renamed.set(old, [...(renamed.get(old) ?? []), ...names]);
  }
  const isIn = (container, name) => container === name || (renamed.get(name)?.includes(container) ?? false);
  const byName = new Map();
  for (const entry of entries) byName.set(entry.old, [...(byName.get(entry.old) ?? []), entry]);
  return (group) => {
    const category = categoryOf(group);
    const own = group.declarations.filter(({ file }) => file !== undefined);
    const main = own.filter(({ file }) => !isTest(file));
    const declarations = main.length === 0 ? own : main;
    const name = declarations.length > 0 && group.isPrivate ? `#${group.name}` : group.name;
    let best;
    let bestRank = -1;
    for (const entry of byName.get(name) ?? []) {
      const kindRank = rankOfKind(entry.kind, category);
      if (kindRank === 0) continue;
      const isHere = declarations.some(
        ({ file, container }) =>
          entry.test(file) && (entry.container === undefined || isIn(container, entry.container)),
      );
      if (!isHere) continue;
      const rank = entry.where.replace('*', '').length * 10 + kindRank;
      if (rank > bestRank) [best, bestRank] = [entry, rank];
    }
    if (best !== undefined) best.uses += 1;
    return best;
  };
}

function rankOfKind(kind, category) {
  if (kind === category) return 3;
  if ((kind === 'function' && category === 'value') || (kind === 'value' && category === 'function'))
    return 2;
  return kind === '*' ? 1 : 0;
}
