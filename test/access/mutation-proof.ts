// Shows that the tests of `unresolved: 'deny'` and of policies detect mistakes: changes a copy of the sources, one place at a time, and runs the tests.
//
//   npm run proof:access                  all changes; about five minutes
//   npm run proof:access -- --only 7      one of them, by number
//
// Exits with 1 if the tests pass with a change, or if the text of a change is not in its file exactly once.
import { runChanges, type Change } from '../support/mutation.js';

const compile = 'src/filter/compile';
const engine: readonly Change[] = [
  [`${compile}/normal-form.ts`, "'<': '>='", "'<': '>'"],
  [`${compile}/normal-form.ts`, "kind: node.kind === 'and' ? 'or' : 'and', operands", 'operands'],
  [`${compile}/normal-form.ts`, "kind: node.kind === 'any' ? 'all' : 'any', body", 'body'],
  [`${compile}/normal-form.ts`, 'normalForm(node.body, isNegated)', 'normalForm(node.body)'],
  [`${compile}/frame/sentinels.ts`, ' || Number.isNaN(value)', ''],
  [
    `${compile}/frame/sentinels.ts`,
    "value === undefined || typeof value === 'symbol'",
    "typeof value === 'symbol'",
  ],
  [`${compile}/frame/test-context.ts`, 'resultIfUnknown ?? throwEvaluationError', 'throwEvaluationError'],
  [`${compile}/frame/test-context.ts`, 'formOf(match.operator).negated : null', 'false : null'],
  [
    `${compile}/match.ts`,
    'return !isUnknownValue(value) && test(value) !== negated;',
    'return test(value) !== negated;',
  ],
  [
    `${compile}/match.ts`,
    'value === null ? !negated : negated && isOfKind(value, type)',
    'value === null ? !negated : negated',
  ],
  [
    `${compile}/match.ts`,
    'value === null ? !negated :',
    'value === null || value === undefined ? !negated :',
  ],
  [`${compile}/match.ts`, 'operand.elements.length === 0 && !denies', 'operand.elements.length === 0'],
  [`${compile}/match.ts`, 'if (denies && negated && hasNotANumber(node, type)) return () => false;', ''],
  [`${compile}/reader.ts`, "=== 'deny' ? isMap : isMapOrList", "=== 'deny' ? isMapOrList : isMapOrList"],
  [
    `${compile}/reader.ts`,
    "if (policy.unresolved !== 'error' && dependsOnRow)",
    "if (policy.unresolved === 'absent' && dependsOnRow)",
  ],
  [`${compile}/reference.ts`, '!isDecided(value, own) || !isDecided(other, of)', '!isDecided(value, own)'],
  [`${compile}/reference.ts`, '!isUnknownValue(value) && isOfKind(value, type)', '!isUnknownValue(value)'],
  [`${compile}/reference.ts`, 'if (left.resultIfUnknown) return true;', ''],
  [
    `${compile}/operators/element-search.ts`,
    'isUnknownValue(element) ? resultIfUnknown : ofElement(element)',
    'ofElement(element)',
  ],
  [
    `${compile}/operators/emptiness.ts`,
    'context.resultIfUnknown === null || Array.isArray(value) ? isEmpty : context.resultIfUnknown',
    'isEmpty',
  ],
  [
    `${compile}/collection.ts`,
    "policy.unresolved !== 'deny' && emptyCollectionResult",
    'emptyCollectionResult',
  ],
  [`${compile}/collection.ts`, '(denies && isNil(collection))', 'denies'],
  [`${compile}/describe.ts`, "policy.unresolved !== 'deny' && formOf", 'formOf'],
  [`${compile}/describe.ts`, 'hasNotANumber(first, type) ? null : ', ''],
  [`${compile}/quick/check.ts`, 'typeof value === type && !Number.isNaN(value)', 'typeof value === type'],
  [`${compile}/quick/check.ts`, "type === 'number' ? `&&${v}===${v}` : ''", "''"],
  [
    `${compile}/quick/column-check.ts`,
    "typeof value === 'number' && !Number.isNaN(value)",
    "typeof value === 'number'",
  ],
  [
    `${compile}/quick/pair-check.ts`,
    "const isOdd = sign === '===' && (Number.isNaN(value) || Number.isNaN(other));",
    'const isOdd = false;',
  ],
  [`${compile}/quick/batch.ts`, 'if (denies && slice.failure !== null) {', 'if (false) {'],
  [`${compile}/compile.ts`, 'denies ? denyFailures(test) : test', 'test'],
  ['src/filter/specialise/write.ts', 'denies ? `try{${code}}catch{break no}` : code', 'code'],
  ['src/filter/plan.ts', 'denies ? of : clausesWithout', 'clausesWithout'],
  ['src/filter/filter-set/access.ts', 'ways.map((way) => ({ ...way, indexed: [] }))', 'ways'],
];
const sql: readonly Change[] = [
  ['src/sql/certain.ts', 'isOfKind === undefined ? [] : [isOfKind];', '[];'],
  ['src/sql/certain.ts', 'guards.push(dialect.notNaN(value));', ';'],
  [
    'src/sql/certain.ts',
    'and([present, sql`NOT ${exists(sql`(${body.sql}) IS NOT TRUE`)}`])',
    'sql`NOT ${exists(sql`(${body.sql}) IS NOT TRUE`)}`',
  ],
  ['src/sql/certain.ts', 'exists(sql`(${body.sql}) IS NOT TRUE`)', 'exists(sql`NOT (${body.sql})`)'],
  ['src/sql/certain.ts', 'return exactly(isNil ?? isNull ?? never);', 'return exactly(isNull ?? never);'],
  [
    'src/sql/certain.ts',
    'no: exactly(and([sql`(${test}) IS NOT TRUE`, ...conditions])),',
    'no: exactly(sql`(${test}) IS NOT TRUE`),',
  ],
  ['src/sql/translate.ts', 'conditionFor(node.body, true, inner)', 'conditionFor(node.body, isAny, inner)'],
  [
    'src/sql/translate.ts',
    'if (denies && !isPositive && hasNotANumber(node, type)) return exactly(never);',
    '',
  ],
  [
    'src/sql/rows.ts',
    'access === undefined || isPublic ? always',
    'access !== undefined || isPublic ? always',
  ],
];

const residual: readonly Change[] = [
  [
    'src/access/residual.ts',
    'if (all === null) return reportUnknown(evaluation, node.selector);',
    'if (all === null) return true;',
  ],
  ['src/access/residual.ts', "(isPositive === (kind === 'and') ? 'and' : 'or')", 'kind'],
  ['src/access/residual.ts', "isPositive === (node.kind === 'any') ? 'any' : 'all'", 'node.kind'],
  [
    'src/access/residual.ts',
    'operand.residual(evaluation, !isPositive)',
    'operand.residual(evaluation, isPositive)',
  ],
  ['src/access/residual.ts', 'if (!isPositive && placements.includes(null)) return null;', ''],
  [
    'src/access/residual.ts',
    'return !isPositive && everyElement(field.selector, of);',
    'return !isPositive;',
  ],
  ['src/access/residual.ts', 'reversedOrderings[name], type)', 'name, type)'],
  ['src/access/residual.ts', 'points.length + 1 }', 'points.length }'],
  ['src/access/residual.ts', 'const filter = isPositive ? isTrue : isFalse;', 'const filter = isTrue;'],
  ['src/access/residual.ts', "!isPositive && createSizeTest(field.selector, 'is empty')", '!isPositive'],
  ['src/access/caller-literal.ts', '!Number.isNaN(value) && scalarGuard', 'scalarGuard'],
  [
    'src/access/caller-literal.ts',
    'if (bound === null) return false;',
    'if (bound === null) return presence(subject);',
  ],
  [
    'src/access/caller-literal.ts',
    "return operator === '!=' && presence(subject);",
    'return presence(subject);',
  ],
  ['src/access/caller-literal.ts', "isBelow ? '<=' : '>='", "isBelow ? '<' : '>'"],
  [
    'src/access/caller-literal.ts',
    'placeFloat(value, Math.fround, nextFloat32)',
    'placeFloat(value, (near) => near, nextFloat64)',
  ],
  ['src/access/caller-literal.ts', 'Math.fround(Number(value))', 'Number(value)'],
  ['src/access/caller-literal.ts', 'return `${instance as Duration}ns`;', 'return String(value);'],
  ['src/access/caller-literal.ts', 'return `${String(instance)}B`;', 'return String(value);'],
  ['src/access/caller-value.ts', "return role === 'element' ? 'element' : 'key';", "return 'element';"],
  ['src/access/terms.ts', "if (kind === 'any') return body && filled;", "if (kind === 'any') return body;"],
  ['src/access/terms.ts', "return body ? join('or', [empty, filled]) : empty;", 'return body;'],
  [
    'src/access/policy.ts',
    "part.residual(evaluation, effect === 'allow')",
    'part.residual(evaluation, true)',
  ],
  [
    'src/access/policy.ts',
    'return allowed === false ? false : join',
    'return allowed === false ? true : join',
  ],
  ['src/access/policy.ts', 'isAbout(rule.actions, action))', "isAbout(rule.actions, 'read'))"],
];

runChanges([
  ...engine.map((change) => ({ change, tests: ['test/access/deny.test.ts'] })),
  ...residual.map((change) => ({ change, tests: ['test/access/policy.test.ts'] })),
  ...sql.map((change) => ({ change, tests: ['test/access/sql.test.ts'] })),
]);
