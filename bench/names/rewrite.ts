import ts from 'typescript';
import type { Renaming } from './renaming.js';

/**
 * Writes a file of the harness as it would be for rows with other names: the properties that it reads and makes, and the
 * words in its texts, templates and patterns. The code stays what it is, so that a loop that was written by hand is
 * one still.
 */
export function createRewriter({ name, number, text }: Renaming): ts.TransformerFactory<ts.SourceFile> {
  return (context) => {
    const { factory } = context;
    const visit = (node: ts.Node): ts.Node => {
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node;
      if (ts.isShorthandPropertyAssignment(node) || ts.isBindingElement(node)) refuseField(node, name);
      if (ts.isNumericLiteral(node)) return factory.createNumericLiteral(number(Number(node.text)));
      if (ts.isRegularExpressionLiteral(node)) return factory.createRegularExpressionLiteral(text(node.text));
      if (ts.isStringLiteral(node)) return factory.createStringLiteral(text(node.text));
      if (ts.isNoSubstitutionTemplateLiteral(node))
        return factory.createNoSubstitutionTemplateLiteral(text(node.text));
      if (ts.isTemplateHead(node)) return factory.createTemplateHead(text(node.text));
      if (ts.isTemplateMiddle(node)) return factory.createTemplateMiddle(text(node.text));
      if (ts.isTemplateTail(node)) return factory.createTemplateTail(text(node.text));
      const visited = ts.visitEachChild(node, visit, context);
      if (ts.isPropertyAccessExpression(visited) && ts.isIdentifier(visited.name))
        return factory.updatePropertyAccessExpression(
          visited,
          visited.expression,
          factory.createIdentifier(name(visited.name.text)),
        );
      if (ts.isPropertyAssignment(visited) && ts.isIdentifier(visited.name))
        return factory.updatePropertyAssignment(
          visited,
          factory.createIdentifier(name(visited.name.text)),
          visited.initializer,
        );
      return visited;
    };
    return (file) => ts.visitEachChild(file, visit, context);
  };
}

/** @throws Error where a variable is named as a field is: another name for the one would need one for the other. */
function refuseField(node: ts.ShorthandPropertyAssignment | ts.BindingElement, name: Renaming['name']): void {
  const field = ts.isBindingElement(node) ? (node.propertyName ?? node.name) : node.name;
  if (ts.isIdentifier(field) && name(field.text) !== field.text)
    throw new Error(`${field.text} must be written out, as in { ${field.text}: value } or row.${field.text}`);
}
