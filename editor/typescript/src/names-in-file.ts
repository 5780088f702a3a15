import type ts from 'typescript';

type Ts = typeof ts;

/** What a file imports, by its name there: the name that the module has for it, `*` for all of a part of `tamis`. */
export function importsOf(ts: Ts, file: ts.SourceFile): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    const isTamis = /^tamis(?:\/|$)/.test(statement.moduleSpecifier.text);
    if (bindings === undefined) continue;
    if (ts.isNamespaceImport(bindings)) {
      if (isTamis) found.set(bindings.name.text, '*');
    } else {
      for (const each of bindings.elements)
        found.set(each.name.text, isTamis ? (each.propertyName ?? each.name).text : '');
    }
  }
  return found;
}

/** Names that a file declares more than once, wherever. */
export function namesDeclaredTwice(ts: Ts, file: ts.SourceFile): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  const visit = (node: ts.Node): void => {
    const name = 'name' in node ? (node.name as ts.Node | undefined) : undefined;
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isFunctionExpression(node) ||
      ts.isClassDeclaration(node) ||
      ts.isImportSpecifier(node) ||
      ts.isNamespaceImport(node);
    if (declares && name !== undefined && ts.isIdentifier(name)) {
      if (seen.has(name.text)) twice.add(name.text);
      seen.add(name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return twice;
}

/** The top-level declaration of a name in a file. */
export function constantAtTop(ts: Ts, file: ts.SourceFile, name: string): ts.VariableDeclaration | null {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const each of statement.declarationList.declarations)
      if (ts.isIdentifier(each.name) && each.name.text === name) return each;
  }
  return null;
}
