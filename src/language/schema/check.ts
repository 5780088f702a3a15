import { withMessage, type SemanticDiagnostic, type SemanticFault } from '../diagnostics/errors.js';
import type { Limits } from '../diagnostics/limits.js';
import { checkOptions, limitsOf } from '../diagnostics/options.js';
import type { OperandRule } from '../operators/operator.js';
import { formOf } from '../operators/operators.js';
import {
  type CollectionExpression,
  type Expression,
  literalOf,
  type MatchExpression,
  type Selector,
} from '../syntax/ast.js';
import { makeSelector } from '../syntax/factory.js';
import { levelOf, parsedOf, type FilterSource } from '../parse.js';
import type { Dialect, Level } from '../syntax/dialect.js';
import { childrenOf } from '../syntax/visit.js';
import { instanceKindOf } from '../values/instance/index.js';
import { coercionFailure, type CoercibleKind } from '../values/operand.js';
import { analyse, type Analysis } from './analysis.js';
import {
  clashDiagnostic,
  coercionDiagnostic,
  collectionDiagnostic,
  elementDiagnostic,
  indivisibleDiagnostic,
  kindDiagnostic,
  mapKeyDiagnostic,
  pathDiagnostic,
  patternDiagnostic,
} from './semantic-diagnostics.js';
import { formFaults, hasOwnEquality, lengthFault, refusalOf, type Form } from './form-check.js';
import { reversedClock } from './form-fixes.js';
import { NameSearch } from './name-fixes.js';
import { isComparableElement, isNeverNull, operandRuleFor } from './operand-rule.js';
import { createPatternTable, type PatternTable } from './pattern-table.js';
import type { Schema } from './schema.js';
import { clashingName, fromElementsOf, isScalarBinding } from './scope.js';
import { anyType, describeType, intType, type Type } from './type.js';
import { coercibleKindOf, valueKindOf } from './value-kind.js';

export interface CheckOptions {
  /** The schema of rows. If omitted, only contradictions within the expression are found. */
  readonly schema?: Schema | undefined;
  /** Dialect of a source string. Default: `standard`. */
  readonly dialect?: Dialect;
  /** Level of a source string. Default: 1. */
  readonly level?: Level;
  readonly limits?: Partial<Limits>;
  /** Whether missing fields have a configured value, so that unknown names are not errors. */
  readonly allowUnknownFields?: boolean;
}

/**
 * Returns the errors that no row can avoid: unknown fields, operators that a kind does not support, literals that cannot be
 * converted to the field's kind, invalid patterns. Without a schema, only errors within the expression. In source order; empty if
 * the filter is valid. Clauses after the 4,000th finding are not checked.
 *
 * @throws FilterLimitError if a pattern exceeds the limits; FilterSyntaxError and FilterLimitError for a source string, as
 * `parse` does; TypeError if an argument is invalid.
 */
export function check(filter: FilterSource, options: CheckOptions = {}): readonly SemanticDiagnostic[] {
  checkOptions('check', options, ['schema', 'dialect', 'level', 'limits', 'allowUnknownFields']);
  const { schema, allowUnknownFields = false, ...parseOptions } = options;
  const limits = limitsOf(options.limits);
  const { source, ast, dialect } = parsedOf('check', filter, parseOptions);
  const analysis = analyse(schema?.root ?? anyType, levelOf({ dialect, level: options.level ?? 1 }));
  const patterns = createPatternTable(source, limits);
  const faults = checkExpression(ast, analysis, patterns, allowUnknownFields);
  return faults.map((fault) => withMessage(source, fault));
}

/** Returns the error of `now > Created`: the sides are reversed, `now` is not a field, and the other side is a time. */
function reversedFault(
  fault: SemanticFault,
  match: MatchExpression | null,
  analysis: Analysis,
): SemanticFault {
  const reversed = match === null ? null : reversedClock(match);
  if (match === null || reversed === null) return fault;
  const { selector } = match;
  const { type } = analysis.resolve(makeSelector('bexpr', reversed.path, [], selector.span));
  if (type?.kind !== 'time') return fault;
  const { code, goMessage, span, label } = fault;
  return {
    code,
    goMessage,
    span,
    label,
    hint: `now must be on the right: ${reversed.text}`,
    suggestions: reversed.fix,
  };
}

/** Like {@link check}, but also returns the patterns of a filter that is about to be compiled. */
export function checkExpression(
  ast: Expression,
  analysis: Analysis,
  patterns: PatternTable,
  allowUnknownFields: boolean,
): readonly SemanticFault[] {
  const found: SemanticFault[] = [];
  const checker = new Checker(patterns, allowUnknownFields, found);
  checker.expression(ast, analysis);
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** Maximum number of findings: two for each of the maximum number of clauses, or for two lists of wrong values. */
const maxFound = 4_000;

class Checker {
  private search: NameSearch | null = null;

  constructor(
    private readonly patterns: PatternTable,
    private readonly allowUnknownFields: boolean,
    private readonly found: SemanticFault[],
  ) {}

  expression(node: Expression, analysis: Analysis): void {
    if (this.found.length >= maxFound) return;
    if (node.kind === 'match') this.match(node, analysis);
    if (node.kind === 'any' || node.kind === 'all') this.collection(node, analysis);
    for (const child of childrenOf(node)) this.expression(child, analysis.below(node));
  }

  private collection(node: CollectionExpression, analysis: Analysis): void {
    const clash = clashingName(node.binding);
    if (clash !== null) this.found.push(clashDiagnostic(clash, node.binding.span));
    const type = this.selector(node.selector, analysis);
    const isIterable =
      type !== null && type.nullDepth === 0 && (type.kind === 'list' || type.kind === 'array');
    if (type !== null && type.kind === 'map' && type.nullDepth === 0) {
      if (!type.textKeys) this.found.push(mapKeyDiagnostic(node.kind, node.selector));
    } else if (type !== null && type.kind !== 'any' && !isIterable) {
      this.found.push(collectionDiagnostic(node.selector, valueKindOf(type)));
    }
  }

  private match(node: MatchExpression, analysis: Analysis): void {
    const type = this.selector(node.selector, analysis, node);
    const { operator } = formOf(node.operator);
    const other = node.value?.kind === 'reference' ? this.selector(node.value.selector, analysis) : null;
    if (type !== null) this.test({ match: node, operator, type, other }, analysis);
    if (operator.operand.language === 'pattern') {
      const pattern = this.patterns.compile(node);
      if (typeof pattern === 'string') this.found.push(patternDiagnostic(node, pattern));
    }
  }

  /** Returns the type that a selector resolves to; null if it is unknown, which is then reported. */
  private selector(
    selector: Selector,
    analysis: Analysis,
    match: MatchExpression | null = null,
  ): Type | null {
    const { binding, parts, steps, type } = analysis.resolve(selector);
    if (binding !== null && isScalarBinding(binding) && parts.length > 0) {
      this.found.push(indivisibleDiagnostic(selector, binding.role === 'key' ? 'string' : 'int'));
      return null;
    }
    const last = steps.at(-1);
    if (last?.kind !== 'impossible') return type;
    if (last.fault.code === 'find-no-field' && this.allowUnknownFields) return anyType;
    const part = selector.path.length - parts.length + steps.length - 1;
    const isInsideKey = last.fault.code === 'find-invalid-kind' && steps.at(-2)?.kind === 'key';
    const fault = isInsideKey ? { ...last.fault, keyPart: part - 1 } : last.fault;
    const { path } = selector;
    const fromElements = binding === null && part === 0 ? fromElementsOf(path, analysis.scope) : [];
    const position = {
      selector,
      path,
      part,
      written: part,
      match,
      search: (this.search ??= new NameSearch()),
      fromElements,
      level: analysis.level,
    };
    this.found.push(reversedFault(pathDiagnostic(position, fault), match, analysis));
    return null;
  }

  private test(form: Form, analysis: Analysis): void {
    const { match, operator, type } = form;
    if (match.aspect === 'length') {
      const fault = lengthFault({ ...form, type: intType }, type);
      this.found.push(...(fault === null ? formFaults({ ...form, type: intType }) : [fault]));
      return;
    }
    if (operator.takes.nil === 'nil' && analysis.level === 1) {
      if (isNeverNull(match.selector, analysis))
        this.found.push({ ...refusalOf(form), label: `${describeType(type)}, never null` });
      return;
    }
    const treatment = type.kind === 'any' ? null : operandRuleFor(operator, type);
    if (treatment === 'refuse' || treatment === 'coerce-then-refuse') {
      this.found.push(refusalOf(form));
      return;
    }
    const faults = formFaults(form);
    this.found.push(...faults);
    if (treatment !== null && faults.length === 0) this.operand(form, treatment);
  }

  /** Reports errors that go-bexpr reports too. */
  private operand({ match, operator, type }: Form, treatment: OperandRule): void {
    const coercible = coercibleKindOf(valueKindOf(type));
    if (treatment === 'coerce' && coercible !== null && !hasOwnEquality(operator, type))
      this.coerce(match, coercible);
    if (treatment === 'elements') this.elements(match, type);
    if (treatment === 'keys' && type.kind === 'map' && !type.textKeys) {
      this.found.push(kindDiagnostic(match, 'map-key-kind', 'map'));
    }
  }

  private elements(node: MatchExpression, type: Type): void {
    if (type.kind !== 'list' && type.kind !== 'array') return;
    const kind = valueKindOf(type.of);
    const coercible = coercibleKindOf(kind);
    // A literal for an instance was checked before, and is more than an integer.
    if (instanceKindOf(type.of) === null && coercible !== null) this.coerce(node, coercible);
    else if (!isComparableElement(type.of)) this.found.push(elementDiagnostic(node, kind));
  }

  /** Reports a literal that cannot be converted to the kind. */
  private coerce(node: MatchExpression, kind: CoercibleKind): void {
    const value = literalOf(node);
    if (value === null) return;
    const failure = coercionFailure(value, kind);
    if (failure !== null) this.found.push(coercionDiagnostic(node, kind, failure));
  }
}
