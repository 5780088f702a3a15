import ts from 'typescript';

/** One reference from a file to another module: static, type-only, dynamic or an import type. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** What the rules of this repository look at in one source file. */
export interface FileFacts {
  readonly imports: readonly Import[];
  /** Constructs that this repository forbids, as "line: what". */
  readonly forbidden: readonly string[];
}

/** Files that were read before: several checks read the same tree. */
const known = new Map<string, FileFacts>();

/** Reads a source file as TypeScript does, so that a comment or a string never looks like an import. */
export function readFacts(path: string, text: string): FileFacts {
  const key = `${path}\n${text}`;
  const facts = known.get(key) ?? parseFacts(path, text);
  known.set(key, facts);
  return facts;
}

function parseFacts(path: string, text: string): FileFacts {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, kind);
  const imports: Import[] = [];
  const forbidden: string[] = [];
  const lineOf = (node: ts.Node): number => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== null) {
      imports.push({
        specifier: ts.isStringLiteralLike(specifier) ? specifier.text : '<computed>',
        line: lineOf(node),
      });
    }
    const offence = offenceOf(node);
    if (offence !== null) forbidden.push(`${String(lineOf(node))}: ${offence}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { imports, forbidden };
}

/** The module name of a node that refers to a module. */
function specifierOf(node: ts.Node): ts.Node | null {
  if (ts.isImportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExportDeclaration(node)) return node.moduleSpecifier ?? null;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node;
  if (!ts.isCallExpression(node)) return null;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport || isNamed(node.expression, 'require') ? (node.arguments[0] ?? null) : null;
}

function offenceOf(node: ts.Node): string | null {
  if (ts.isExportDeclaration(node) && node.exportClause === undefined) return 'export *';
  if (ts.isExportDeclaration(node) && node.exportClause !== undefined) {
    const { exportClause } = node;
    if (ts.isNamespaceExport(exportClause)) return 'export * as';
    return exportClause.elements.some((element) => element.name.text === 'default') ? 'default export' : null;
  }
  if (ts.isExportAssignment(node)) return 'default export';
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isDefault) === true) return 'default export';
  if (ts.isCallExpression(node) && isGlobal(node.expression, 'eval')) return 'eval';
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isGlobal(node.expression, 'Function')) {
    return 'Function constructor';
  }
  return null;
}

function isDefault(modifier: ts.Modifier): boolean {
  return modifier.kind === ts.SyntaxKind.DefaultKeyword;
}

/** `name`, `globalThis.name` or `(0, name)`. */
function isGlobal(node: ts.Expression, name: string): boolean {
  const inner = ts.isParenthesizedExpression(node) ? node.expression : node;
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.CommaToken) {
    return isGlobal(inner.right, name);
  }
  return (
    isNamed(inner, name) ||
    (ts.isPropertyAccessExpression(inner) &&
      isNamed(inner.expression, 'globalThis') &&
      inner.name.text === name)
  );
}

function isNamed(node: ts.Expression, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}
