import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

// docs/errors.md has an anchor for every error code that the sources declare, and for no other.

const root = fileURLToPath(new URL('../', import.meta.url));

/** The string literals of a type, also of unions in it. */
function literalsOf(type: ts.TypeNode): string[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(literalsOf);
  return ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : [];
}

/** The codes of a file: types whose name ends with `Code`, and properties `code` with literal types. */
function codesOf(file: string): string[] {
  const tree = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const codes: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeAliasDeclaration(node) && node.name.text.endsWith('Code'))
      codes.push(...literalsOf(node.type));
    if (ts.isPropertySignature(node) && node.name.getText() === 'code' && node.type !== undefined)
      codes.push(...literalsOf(node.type));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return codes;
}

/** The titles of HTTP statuses, which are the codes of errors without one. */
function statusCodes(): string[] {
  const source = readFileSync(join(root, 'src/http/failure.ts'), 'utf8');
  const [, titles = ''] = source.split('const titles');
  return [...(titles.split('};')[0] ?? '').matchAll(/\d{3}: '([^']+)'/g)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
}

it('lists every error code of the sources, and no other', () => {
  const declared = new Set([
    ...readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => codesOf(join('src', name))),
    ...statusCodes(),
    'error',
  ]);
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const listed = [...page.matchAll(/^### (.+)$/gm)].map(([, code]) => code);
  expect(declared.size).toBeGreaterThan(90);
  expect(listed.toSorted()).toEqual([...declared].toSorted());
});
