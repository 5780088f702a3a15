// Lists declared names with a word of the table in them, and what the map makes of them:
//
//   node scripts/rename/inventory.mjs [--undecided]
//
// Names that a library declares are left out: the map cannot change them.
import { basename } from 'node:path';
import { categoryOf, createLookup, readMap } from './map.mjs';
import { collect, createProgram, sourceFiles } from './program.mjs';
import { rowOf } from './words.mjs';

const lookup = createLookup(readMap());
const { groups, occurrences } = collect(createProgram(), (name) => rowOf(name) !== undefined);
const counts = new Map();
for (const { group, other, isPrivate } of occurrences) {
  for (const each of new Set([group, other])) {
    if (each === undefined) continue;
    each.isPrivate ||= isPrivate;
    counts.set(each, (counts.get(each) ?? 0) + 1);
  }
}
const lines = groups
  .filter(({ isForeign, name }) => !isForeign && /^[#\w$@]+$/.test(name))
  .map((group) => {
    group.name = group.name.replace(/^(__#\d+@)?#/, '');
    const { file, line } = group.declarations[0];
    const row = String(rowOf(group.name)).padStart(2);
    const names = lookup(group)?.names.join('|') ?? '?';
    return [row, group.name, categoryOf(group), `${file}:${line}`, counts.get(group) ?? 0, names].join('\t');
  })
  .filter((line) => !process.argv.includes('--undecided') || line.endsWith('\t?'));
const files = sourceFiles()
  .filter((file) => rowOf(basename(file)) !== undefined)
  .map((file) => `${String(rowOf(basename(file))).padStart(2)}\t${basename(file)}\tfile\t${file}`);
for (const line of [...lines, ...(process.argv.includes('--undecided') ? [] : files)].sort())
  console.log(line);
