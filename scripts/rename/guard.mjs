// Reports identifiers with a word that the map has removed:  node scripts/rename/guard.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, sourceFiles, ts } from './program.mjs';
import { rowOf } from './words.mjs';

const allowed = readFileSync(join(root, 'scripts/rename/map/allowed.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));
const found = new Map();
for (const file of sourceFiles()) {
  const text = readFileSync(join(root, file), 'utf8');
  const sourceFile = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && rowOf(node.text) !== undefined) {
      const isAllowed = allowed.some(
        ([name, where]) =>
          name === node.text && where.split(',').some((path) => path === '*' || file.startsWith(path)),
      );
      if (!isAllowed) found.set(node.text, [...(found.get(node.text) ?? []), file]);
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
}
for (const [name, files] of [...found].sort())
  console.log(`${name}\t${files.length}\t${[...new Set(files)].slice(0, 3).join(' ')}`);
console.log(`${found.size} names, ${allowed.length} allowed`);
if (found.size > 0) process.exitCode = 1;
