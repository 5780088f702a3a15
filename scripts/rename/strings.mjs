// Lists old names in programs that are texts (tests run them as files of their own):  node scripts/rename/strings.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMap } from './map.mjs';
import { root, sourceFiles, ts } from './program.mjs';

const old = new Set(
  readMap()
    .filter(({ names }) => names[0] !== '-')
    .map((entry) => entry.old),
);
for (const file of sourceFiles()) {
  const text = readFileSync(join(root, file), 'utf8');
  const sourceFile = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && /\b(?:import|require|await|const)\b/.test(node.text)) {
      const names = [...new Set(node.text.match(/[A-Za-z_$][\w$]*/g))].filter((name) => old.has(name));
      const { line } = sourceFile.getLineAndCharacterOfPosition(node.getStart(sourceFile));
      if (names.length > 0) console.log(`${file}:${line + 1}: ${names.join(' ')}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
}
