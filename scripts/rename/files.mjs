// Renames files as map/files.tsv says, and codes as map/codes.tsv does:  node scripts/rename/files.mjs [--dry-run]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { root } from './program.mjs';

const isDryRun = process.argv.includes('--dry-run');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
const tracked = git('ls-files').split('\n').filter(Boolean);
const rows = (file) =>
  readFileSync(join(root, 'scripts/rename/map', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

const renames = new Map();
for (const [where, old, name] of rows('files.tsv')) {
  const found = tracked.filter((file) => file.startsWith(where) && basename(file) === old);
  if (found.length !== 1)
    console.log(`${found.length === 0 ? 'not found' : 'several'}: ${where} ${old} ${found.join(' ')}`);
  for (const file of found.length === 1 ? found : []) {
    const target = join(dirname(file), name);
    if (tracked.includes(target)) console.log(`taken: ${target}`);
    else renames.set(file, target);
  }
}

/** Paths without their extension: imports name the built file. */
const bare = (path) => path.replace(/\.(tsx?|mts|mjs|js)$/, '');
const byBare = new Map([...renames].map(([from, to]) => [bare(from), bare(to)]));
const specifier = /(['"`])((?:\.{1,2}\/|@tamis\/)[^'"`\n]+)\1/g;
const codes = rows('codes.tsv');
let changed = 0;
for (const file of tracked) {
  if (
    !/\.(tsx?|mts|cts|mjs|js|md|json|html|ebnf|txt)$/.test(file) ||
    /package-lock|scripts\/rename\/|\.jsonl$/.test(file)
  )
    continue;
  if (file === 'CHANGELOG.md') continue;
  const before = readFileSync(join(root, file), 'utf8');
  let text = before.replace(specifier, (whole, quote, path) => {
    const target = path.startsWith('@tamis/') ? packagePath(path) : join(dirname(file), path);
    const to = byBare.get(bare(target));
    return to === undefined
      ? whole
      : `${quote}${path.slice(0, path.length - basename(path).length)}${basename(to)}${/\.\w+$/.test(to) ? '' : (/\.\w+$/.exec(path)?.[0] ?? '')}${quote}`;
  });
  for (const [from, to] of renames) {
    text = text.replaceAll(from, to);
    const local = relative(dirname(file), from);
    if (/\.md$/.test(file) && !local.startsWith('..'))
      text = text.replace(wholeName(local), relative(dirname(file), to));
    else if (/\.md$/.test(from) && file.endsWith('.md'))
      text = text.replace(wholeName(local), relative(dirname(file), to));
  }
  for (const [where, old, name] of codes) {
    if (file.startsWith(where))
      text = text.replace(new RegExp(`(['"\`])${old}\\1`, 'g'), (_, quote) => `${quote}${name}${quote}`);
  }
  if (text === before) continue;
  changed += 1;
  if (!isDryRun) writeFileSync(join(root, file), text);
}
if (!isDryRun) for (const [from, to] of renames) git('mv', from, to);
console.log(`${renames.size} files renamed, ${changed} files changed`);

function packagePath(path) {
  const [, name, ...rest] = path.split('/');
  const folder = `servers/${name}`;
  return existsSync(join(root, folder)) ? `${folder}/src/${rest.join('/')}` : path;
}

function wholeName(path) {
  return new RegExp(`(?<![\\w/-])${path.replace(/[.\\/-]/g, '\\$&')}(?![\\w-])`, 'g');
}
