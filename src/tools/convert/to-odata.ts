import type { OperatorName } from '../../language/operators/operators.js';
import type { FilterSource } from '../../language/parse.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Expression } from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import { checkConvertOptions, refuse, type Conversion, type ConvertOptions } from './conversion.js';
import { Exporter, readMatch, type ExportedMatch } from './exporter.js';

/**
 * Returns a `$filter` of OData 4.01 that is true for the rows which a filter selects. Patterns and globs, keys and names that are no
 * identifiers of OData, and offsets from the current time are refused.
 *
 * @throws FilterSyntaxError and FilterLimitError as `parse`; TypeError if an option is invalid.
 */
export function toOData(filter: FilterSource, options: ConvertOptions): Conversion<string> {
  checkConvertOptions('toOData', options);
  const exporter = new Exporter('toOData', filter, options);
  return exporter.export((ast, analysis) => exportNode(ast, analysis, exporter));
}

function exportNode(node: Expression, analysis: Analysis, exporter: Exporter): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.map((each) => nested(exportNode(each, analysis, exporter))).join(` ${node.kind} `);
    case 'not':
      // `not` binds tighter than comparisons.
      return `not (${exportNode(node.operand, analysis, exporter)})`;
    case 'match':
      return exporter.run(() => exportMatch(readMatch(node, analysis))) ?? '';
    case 'any':
    case 'all': {
      const { index, value, default: only } = node.binding;
      const name = only ?? value;
      const { type } = analysis.resolve(node.selector);
      if (index !== null || name === null || type?.kind === 'map')
        return refuse(print(node), 'only the elements of a list have a name in OData');
      const path = pathOf(print(node), node.selector.path);
      return `${path}/${node.kind}(${pathOf(print(node), [name.text])}: ${exportNode(node.body, analysis.body(node), exporter)})`;
    }
  }
}

/** Only one comparison or function needs no parentheses. */
function nested(text: string): string {
  return / (and|or|not) |^not /.test(text.replace(/'(?:[^']|'')*'/g, "''")) ? `(${text})` : text;
}

function pathOf(at: string, path: readonly string[]): string {
  const invalid = path.find((part) => !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(part));
  return invalid === undefined
    ? path.join('/')
    : refuse(at, `${JSON.stringify(invalid)} is not an identifier of OData`);
}

const exportedComparisons: Readonly<Partial<Record<OperatorName, string>>> = {
  '==': 'eq',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
};
const exportedSearches: Readonly<Partial<Record<OperatorName, string>>> = {
  in: 'contains',
  'starts with': 'startswith',
  'ends with': 'endswith',
};

function exportMatch(match: ExportedMatch): string {
  const { at, path, type, canBeNull, operator, negated, isLength, ignoresCase, values, other } = match;
  const name = pathOf(at, path);
  const isList = type.kind === 'list' || type.kind === 'array';
  if (operator === 'is nil') return `${name} ${negated ? 'ne' : 'eq'} null`;
  if (operator === 'is empty' && type.kind !== 'map')
    return isList ? `${negated ? '' : 'not '}${name}/any()` : `${name} ${negated ? 'ne' : 'eq'} ''`;
  const subject = !isLength
    ? name
    : isList
      ? `${name}/$count`
      : type.kind === 'map'
        ? refuse(at, 'OData has no maps')
        : `length(${name})`;
  const isString = !isLength && (isList ? type.of.kind === 'string' : type.kind === 'string');
  if (ignoresCase && (!isString || values.length !== 1 || operator === 'in [..]'))
    return refuse(at, 'letter case can be ignored only for one string');
  const literals = values.map((value) =>
    literalOf(ignoresCase ? String(value).toLowerCase() : value, type.kind === 'time' && !isLength),
  );
  const operand = other === null ? (literals[0] ?? '') : pathOf(at, other);
  const folded = (text: string): string => (ignoresCase ? `tolower(${text})` : text);
  if (operator === 'in [..]') {
    if (literals.length === 0) return refuse(at, 'OData has no empty list');
    const list = `${subject} in (${literals.join(', ')})`;
    return negated ? `not (${list})` : list;
  }
  if (operator === 'in' && isList) {
    const some = `${name}/any(each: ${folded('each')} eq ${operand})`;
    return negated ? `not ${some}` : some;
  }
  const comparison = exportedComparisons[operator];
  if (other !== null && canBeNull)
    return refuse(at, 'a comparison with another field has no equivalent for null');
  if (comparison !== undefined) return `${folded(subject)} ${negated ? 'ne' : comparison} ${operand}`;
  const search = exportedSearches[operator];
  if (search === undefined || isLength || type.kind === 'map')
    return refuse(at, `OData has no "${operator}"`);
  // A function of null is null, and so is its negation: the test makes it false, and the negation true.
  const found = `${canBeNull ? `${name} ne null and ` : ''}${search}(${folded(name)}, ${operand})`;
  return negated ? `not (${found})` : canBeNull ? `(${found})` : found;
}

function literalOf(value: string | number | boolean, isInstant: boolean): string {
  if (typeof value === 'number' && value !== 0 && Math.abs(value) < 1e-6) return value.toExponential();
  return typeof value !== 'string' || isInstant ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
