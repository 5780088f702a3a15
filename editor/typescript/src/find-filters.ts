import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Dialect, Level, Schema } from 'tamis';
import type ts from 'typescript';
import { readLiteralText, type LiteralText } from './literal-text.js';
import { literalValue, schemaOfType } from './schema-of-type.js';

type Ts = typeof ts;

/** A filter that stands in a program. */
export interface FilterText {
  readonly literal: LiteralText;
  /** The kind of row, where the compiler knows it. */
  readonly schema: Schema | null;
  readonly level?: Level;
  readonly dialect?: Dialect;
  readonly allowUnknownFields?: boolean;
  /** Parts of the text that stand for values of the running program: nothing is said about them. */
  readonly holes: readonly Hole[];
}

/** UTF-16 offsets in the text of the filter. */
export interface Hole {
  readonly start: number;
  readonly end: number;
}

/** Functions of a program that take a filter: their name, and which argument it is, from 0. */
export interface FilterFunction {
  readonly name: string;
  readonly argument?: number;
  /** The argument whose type is the schema, or has it as its property `schema`. The one behind the filter unless told. */
  readonly options?: number;
}

export interface FindOptions {
  readonly functions?: readonly FilterFunction[];
  /** Properties of objects that hold a filter, beside `filter` of the options of lists. */
  readonly properties?: readonly string[];
}

/** Settings of whatever shape, as far as they are what {@link FindOptions} says. */
export function readFindOptions(given: unknown): FindOptions {
  const { functions, properties } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const isCount = (value: unknown): boolean =>
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
  return {
    functions: listOf(functions).filter((each): each is FilterFunction => {
      const { name, argument, options } = (each ?? {}) as Readonly<Record<string, unknown>>;
      return typeof name === 'string' && isCount(argument) && isCount(options);
    }),
    properties: listOf(properties).filter((each) => typeof each === 'string'),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What of `tamis` takes a filter as its first argument, and its options as the second. */
const ownFunctions: ReadonlySet<string> = new Set([
  'compileFilter',
  'planFilter',
  'check',
  'parse',
  'lint',
  'portable',
  'correct',
]);
const template = 'filter';

/**
 * All filters of a file whose text is known, in source order.
 *
 * @param checker null where nobody knows types: filters are found by what is imported, and no schema is known.
 */
export function findFilters(
  ts: Ts,
  file: ts.SourceFile,
  checker: ts.TypeChecker | null,
  options: FindOptions = {},
): FilterText[] {
  return new Finder(ts, file, checker, options).find();
}

class Finder {
  private readonly found: FilterText[] = [];
  /** By the type that tells of it: most filters of a file are about one kind of row. */
  private readonly schemas = new Map<ts.Type, Schema | null>();
  private readonly imports: ReadonlyMap<string, string>;
  /** Names that are declared more than once: without types nobody knows which one is meant. */
  private readonly ambiguous: ReadonlySet<string>;
  private readonly functions: ReadonlyMap<string, FilterFunction>;
  private readonly properties: ReadonlySet<string>;

  constructor(
    private readonly ts: Ts,
    private readonly file: ts.SourceFile,
    private readonly checker: ts.TypeChecker | null,
    { functions = [], properties = [] }: FindOptions,
  ) {
    this.functions = new Map(functions.map((each) => [each.name, each]));
    this.properties = new Set(properties);
    this.imports = importsOf(ts, file);
    this.ambiguous = checker === null ? namesDeclaredTwice(ts, file) : new Set();
  }

  find(): FilterText[] {
    const visit = (node: ts.Node): void => {
      if (this.ts.isCallExpression(node)) this.call(node);
      else if (this.ts.isTaggedTemplateExpression(node)) this.template(node);
      else if (this.ts.isPropertyAssignment(node)) this.property(node);
      this.ts.forEachChild(node, visit);
    };
    visit(this.file);
    return this.found;
  }

  private call(node: ts.CallExpression): void {
    const name = calledName(this.ts, node.expression);
    if (name === null) return;
    const given = this.functions.get(name.text);
    const origin = given === undefined ? this.originOf(name, node.expression) : null;
    if (given === undefined && (origin === null || !ownFunctions.has(origin))) return;
    const at = given?.argument ?? 0;
    const text = node.arguments[at];
    const options = node.arguments[given?.options ?? at + 1];
    if (text !== undefined) this.add(text, options);
  }

  private template(node: ts.TaggedTemplateExpression): void {
    const name = calledName(this.ts, node.tag);
    if (name === null || this.originOf(name, node.tag) !== template) return;
    const { template: body } = node;
    const spans = this.ts.isTemplateExpression(body) ? body.templateSpans : [];
    const head = this.ts.isTemplateExpression(body) ? body.head : body;
    let text = '';
    const pieces: { readonly at: number; readonly source: number }[] = [];
    const holes: Hole[] = [];
    const addText = (part: ts.TemplateLiteralToken | ts.NoSubstitutionTemplateLiteral): void => {
      // What stands between the quotes as it is written: backslashes belong to the filter.
      const raw = part
        .getText()
        .replace(/^[`}]/, '')
        .replace(/(?:`|\$\{)$/, '');
      pieces.push({ at: text.length, source: part.getStart() + 1 });
      text += raw;
    };
    addText(head);
    for (const span of spans) {
      const sample = this.sampleOf(span.expression);
      if (sample === null) return;
      holes.push({ start: text.length, end: text.length + sample.length });
      pieces.push({ at: text.length, source: span.expression.getStart() });
      text += sample;
      addText(span.literal);
    }
    const literal: LiteralText = {
      text,
      sourceAt(offset) {
        let piece = pieces[0];
        for (const each of pieces) if (each.at <= offset) piece = each;
        return piece === undefined ? 0 : piece.source + offset - piece.at;
      },
      write: (written) => written,
    };
    this.found.push({ literal, schema: null, holes });
  }

  /** A value of the kind that an expression has; null where that does not follow from its type. */
  private sampleOf(expression: ts.Expression): string | null {
    const type = this.checker?.getTypeAtLocation(expression);
    if (type === undefined) return null;
    const { TypeFlags } = this.ts;
    if ((type.flags & TypeFlags.StringLike) !== 0) return '"a"';
    if ((type.flags & (TypeFlags.NumberLike | TypeFlags.BigIntLike)) !== 0) return '1';
    return (type.flags & TypeFlags.BooleanLike) !== 0 ? 'true' : null;
  }

  /** `filter: '...'` in the options of a list, and what the settings name. */
  private property(node: ts.PropertyAssignment): void {
    const { ts } = this;
    if (!ts.isIdentifier(node.name) && !ts.isStringLiteral(node.name)) return;
    const name = node.name.text;
    const isNamed = this.properties.has(name);
    if (!isNamed && name !== 'filter') return;
    if (!isNamed && !this.isOwnOption(node.parent, name)) return;
    this.add(node.initializer, node.parent);
  }

  private isOwnOption(object: ts.ObjectLiteralExpression, name: string): boolean {
    const property = this.checker?.getContextualType(object)?.getProperty(name);
    return property?.declarations?.some((each) => isOurs(each.getSourceFile().fileName)) ?? false;
  }

  private add(expression: ts.Expression, options: ts.Expression | undefined): void {
    const literal = readLiteralText(this.ts, expression, (name) => this.constant(name));
    if (literal !== null) this.found.push({ literal, holes: [], ...this.optionsOf(options) });
  }

  private optionsOf(options: ts.Expression | undefined): Omit<FilterText, 'literal' | 'holes'> {
    const { checker } = this;
    if (checker === null || options === undefined) return { schema: null };
    const type = checker.getTypeAtLocation(options);
    const read = (name: string): ts.Type | null => {
      const property = type.getProperty(name);
      return property === undefined ? null : checker.getTypeOfSymbolAtLocation(property, options);
    };
    const value = (name: string): string | number | boolean | null => {
      const written = this.writtenValue(options, name);
      if (written !== null) return written;
      const its = read(name);
      return its === null ? null : literalValue(checker, its);
    };
    const schema = read('schema');
    const level = value('level');
    const dialect = value('dialect');
    const unknown = read('allowUnknownFields');
    const mayBeUnknown =
      unknown !== null && literalValue(checker, unknown) !== false && !isUndefined(this.ts, unknown);
    return {
      schema: this.schemaOf(checker, schema ?? type),
      ...((level === 0 || level === 1) && { level }),
      ...(isDialect(dialect) && { dialect }),
      // Where only the running program knows, no name is said to be wrong.
      ...(mayBeUnknown &&
        this.writtenValue(options, 'allowUnknownFields') !== false && { allowUnknownFields: true }),
    };
  }

  private schemaOf(checker: ts.TypeChecker, type: ts.Type): Schema | null {
    const known = this.schemas.get(type);
    if (known !== undefined) return known;
    const made = schemaOfType(checker, type);
    this.schemas.set(type, made);
    return made;
  }

  /** What an option is where the object is written in place: the compiler has widened its type. */
  private writtenValue(options: ts.Expression, name: string): string | number | boolean | null {
    const { ts } = this;
    if (!ts.isObjectLiteralExpression(options)) return null;
    for (const property of options.properties) {
      if (!ts.isPropertyAssignment(property) || property.name.getText() !== name) continue;
      const { initializer } = property;
      if (ts.isStringLiteralLike(initializer)) return initializer.text;
      if (ts.isNumericLiteral(initializer)) return Number(initializer.text);
      if (initializer.kind === ts.SyntaxKind.TrueKeyword) return true;
      if (initializer.kind === ts.SyntaxKind.FalseKeyword) return false;
    }
    return null;
  }

  /** What a constant of this file is. */
  private constant(name: ts.Identifier): ts.Expression | null {
    const { ts } = this;
    const declaration =
      this.checker === null
        ? this.ambiguous.has(name.text)
          ? null
          : constantAtTop(ts, this.file, name.text)
        : (this.checker.getSymbolAtLocation(name)?.valueDeclaration ?? null);
    if (declaration === null || !ts.isVariableDeclaration(declaration)) return null;
    const isConstant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
    return isConstant && declaration.getSourceFile() === this.file ? (declaration.initializer ?? null) : null;
  }

  /** The name under which `tamis` has what is called; null for what is of others. */
  private originOf(name: ts.Identifier, callee: ts.Expression): string | null {
    const { ts, checker } = this;
    if (checker === null) {
      const holder =
        callee === name
          ? name.text
          : ts.isPropertyAccessExpression(callee)
            ? callee.expression.getText()
            : '';
      const imported = this.ambiguous.has(holder) ? undefined : this.imports.get(holder);
      return imported === '*' ? name.text : callee === name ? (imported ?? null) : null;
    }
    // Most calls are of something else: their symbols are not looked at.
    const isImported = callee === name && this.imports.has(name.text);
    if (!isImported && !isMaybeOwn(name.text)) return null;
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol === undefined) return null;
    const original = (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
    const isOwn = original.declarations?.some((each) => isOurs(each.getSourceFile().fileName)) ?? false;
    return isOwn ? original.getName() : null;
  }
}

/** An option that an object lacks, or may lack, as its type says it. */
function isUndefined(ts: Ts, type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Undefined) !== 0;
}

function isMaybeOwn(name: string): boolean {
  return name === template || ownFunctions.has(name);
}

function calledName(ts: Ts, callee: ts.Expression): ts.Identifier | null {
  if (ts.isIdentifier(callee)) return callee;
  return ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.name) ? callee.name : null;
}

/** What a file imports, by its name there: the name that the module has for it, `*` for all of a part of `tamis`. */
function importsOf(ts: Ts, file: ts.SourceFile): ReadonlyMap<string, string> {
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

function namesDeclaredTwice(ts: Ts, file: ts.SourceFile): ReadonlySet<string> {
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

function constantAtTop(ts: Ts, file: ts.SourceFile, name: string): ts.VariableDeclaration | null {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const each of statement.declarationList.declarations)
      if (ts.isIdentifier(each.name) && each.name.text === name) return each;
  }
  return null;
}

/** Whether the package of a folder is `tamis`, by its manifest. */
const ours = new Map<string, boolean>();

function isOurs(fileName: string): boolean {
  const visited: string[] = [];
  let answer = false;
  for (let folder = dirname(fileName); ; folder = dirname(folder)) {
    const known = ours.get(folder) ?? manifestSays(folder);
    visited.push(folder);
    if (known !== null) {
      answer = known;
      break;
    }
    if (dirname(folder) === folder) break;
  }
  if (ours.size > 10_000) ours.clear();
  for (const folder of visited) ours.set(folder, answer);
  return answer;
}

/** Null for a folder without a manifest of a name. */
function manifestSays(folder: string): boolean | null {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly name?: unknown;
    };
    return name === undefined ? null : name === 'tamis';
  } catch {
    return null;
  }
}

function isDialect(value: string | number | boolean | null): value is Dialect {
  return value === 'go-bexpr' || value === 'standard';
}
