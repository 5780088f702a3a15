import ts from 'typescript';

const runners: ReadonlySet<string> = new Set(['it', 'test']);
const switchedOff: ReadonlySet<string> = new Set(['skip', 'todo', 'skipIf', 'runIf', 'fails']);

/**
 * Names of the tests that a file of tests runs for certain: not switched off, with cases, and with a body that calls
 * something. That the calls assert something is what vitest's `requireAssertions` sees to when the test runs.
 */
export function testsOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = calleeOf(node);
      if (callee.words.some((word) => switchedOff.has(word))) return;
      if (runners.has(callee.root) && callee.hasCases) {
        const name = nameOf(node);
        if (name !== null) found.push(name);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

interface Callee {
  /** `it` of `it.each([1]).skip`. */
  readonly root: string;
  readonly words: readonly string[];
  readonly hasCases: boolean;
}

function calleeOf(call: ts.CallExpression): Callee {
  const words: string[] = [];
  let hasCases = true;
  let at: ts.Expression = call.expression;
  for (;;) {
    if (ts.isPropertyAccessExpression(at)) {
      words.push(at.name.text);
      at = at.expression;
    } else if (ts.isCallExpression(at)) {
      const [cases] = at.arguments;
      if (cases !== undefined && ts.isArrayLiteralExpression(cases) && cases.elements.length === 0)
        hasCases = false;
      at = at.expression;
    } else return { root: ts.isIdentifier(at) ? at.text : '', words, hasCases };
  }
}

/** The name of a test, or null for a call without a name and a function that calls something. */
function nameOf(call: ts.CallExpression): string | null {
  const [name, body] = call.arguments;
  if (name === undefined || !ts.isStringLiteralLike(name)) return null;
  return body !== undefined && ts.isFunctionLike(body) && callsSomething(body) ? name.text : null;
}

function callsSomething(node: ts.Node): boolean {
  return ts.isCallExpression(node) || (ts.forEachChild(node, callsSomething) ?? false);
}
