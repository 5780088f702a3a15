import ts from 'typescript';

/** One change of one file of the engine: a string that occurs in it once, and its replacement. */
export interface Change {
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A stretch of a source text, from `start` up to `end`, with another text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const otherSigns: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.MinusToken, '+'],
]);

/**
 * Changes of a file, one at a time, in the order of its text: a comparison or a connective that is another, a condition turned round,
 * a number one more, a truth value turned, a word misspelt, a statement left out.
 */
export function proposeChanges(file: string, source: string): readonly Change[] {
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isThrowStatement(node) || isExcluded(node)) return;
    edits.push(...editsOf(node, parsed));
    ts.forEachChild(node, visit);
  };
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  visit(parsed);
  return edits.map((edit) => changeOf(file, source, edit));
}

/** Names of functions that affect no result of the suite: speed, costs, corrections and words. */
const excluded =
  /^(choose|quick|fix|diagnose|suggest|weigh|pay|helps|intern|describe)|(Quick|Fix|Fixes|Weight|Cost|Words|Message)$/;

function isExcluded(node: ts.Node): boolean {
  if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node)) return false;
  return node.name !== undefined && ts.isIdentifier(node.name) && excluded.test(node.name.text);
}

function editsOf(node: ts.Node, parsed: ts.SourceFile): readonly Edit[] {
  const over = (position: ts.Node, text: string): Edit => ({
    start: position.getStart(parsed),
    end: position.end,
    text,
  });
  if (ts.isBinaryExpression(node)) {
    const sign = otherSigns.get(node.operatorToken.kind);
    return sign === undefined ? [] : [over(node.operatorToken, sign)];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [over(node, node.operand.getText(parsed))];
  if (ts.isNumericLiteral(node) && /^\d+$/.test(node.text))
    return [over(node, String(Number(node.text) + 1))];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [over(node, 'false')];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [over(node, 'true')];
  if (ts.isIfStatement(node)) return [over(node.expression, `!(${node.expression.getText(parsed)})`)];
  if (ts.isConditionalExpression(node))
    return [
      over(node.whenTrue, node.whenFalse.getText(parsed)),
      over(node.whenFalse, node.whenTrue.getText(parsed)),
    ];
  if (ts.isExpressionStatement(node)) return [over(node, ';')];
  if (ts.isStringLiteral(node) && isWord(node)) return [over(node, `'${node.text}_'`)];
  return [];
}

/** Whether a text is one that decides: compared with, a case, one of a list, or a property. */
function isWord({ parent, text }: ts.StringLiteral): boolean {
  if (!/^[^'\\]+$/.test(text)) return false;
  if (ts.isBinaryExpression(parent)) return otherSigns.has(parent.operatorToken.kind);
  return ts.isCaseClause(parent) || ts.isArrayLiteralExpression(parent);
}

/** A change with as many whole lines around it as make its text one that occurs once. */
function changeOf(file: string, source: string, edit: Edit): Change {
  let start = source.lastIndexOf('\n', edit.start - 1) + 1;
  let end = lineEnd(source, edit.end);
  while (source.indexOf(source.slice(start, end)) !== source.lastIndexOf(source.slice(start, end))) {
    if (start > 0) start = source.lastIndexOf('\n', start - 2) + 1;
    else end = lineEnd(source, end + 1);
  }
  const indent = /^\s*/.exec(source.slice(start, edit.start))?.[0].length ?? 0;
  const find = source.slice(start + indent, end);
  const replace = source.slice(start + indent, edit.start) + edit.text + source.slice(edit.end, end);
  // Without its indentation a text may occur again.
  if (source.indexOf(find) === source.lastIndexOf(find)) return { file, find, replace };
  const space = source.slice(start, start + indent);
  return { file, find: space + find, replace: space + replace };
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}
