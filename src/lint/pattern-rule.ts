import type { MatchExpression, Value } from '../syntax/ast.js';
import { print } from '../syntax/print.js';
import { operatorRule } from '../schema/operators.js';
import { globToPattern, quotePattern } from '../syntax/glob.js';
import { rewrite, type Scene } from './scene.js';

/** Plain characters and dots only: an address or a domain and no regular expression. */
const addressLike = /^\^?(?:[\w-]+\.)+[\w-]+\$?$/;

/** Patterns that are found in every text. */
const findsAll: ReadonlySet<string> = new Set(['', '.*', '^', '$', '^.*', '.*$', '^.*$']);

/** Patterns that say something else than what was probably meant. */
export function judgePattern(node: MatchExpression, scene: Scene): void {
  const { base, negated } = operatorRule(node.operator);
  if (base !== 'matches' || node.value === null) return;
  const { value } = node;
  const { text } = value;
  if (findsAll.has(text)) return reportAll(node, negated, scene);
  if (addressLike.test(text)) return reportDots(value, scene);
  const pattern = globToPattern(text);
  if (pattern === null) return;
  const replacement = quotePattern(pattern);
  scene.report({
    code: 'glob',
    message: `the pattern ${print(value)} reads like a file name's`,
    span: value.span,
    label: 'in a regular expression * repeats what stands in front of it',
    hint: `for what begins or ends like this write ${replacement}`,
    suggestions: [rewrite(value.span, replacement)],
  });
}

function reportAll({ span, selector }: MatchExpression, negated: boolean, scene: Scene): void {
  scene.report({
    code: negated ? 'always-false' : 'always-true',
    message: `the pattern is found in every ${print(selector)}`,
    span,
    label: negated ? 'never true: the pattern is found in every text' : 'true for every text',
    hint: null,
    suggestions: [],
  });
}

function reportDots(value: Value, scene: Scene): void {
  const replacement = quotePattern(value.text.replaceAll('.', '\\.'));
  scene.report({
    code: 'unescaped-dot',
    message: `a dot in the pattern ${print(value)} stands for any character`,
    span: value.span,
    label: 'a dot is any character',
    hint: `for the dot itself write ${replacement}`,
    suggestions: [rewrite(value.span, replacement)],
  });
}
