import type { Dialect, Level, Schema } from 'tamis';
import type ts from 'typescript';
import {
  holePiece,
  joinPieces,
  rawPiece,
  readLiteralText,
  type LiteralText,
  type Piece,
} from './literal-text.js';
import { constantAtTop, importsOf, namesDeclaredTwice } from './names-in-file.js';
import { isOurs } from './own-package.js';
import { literalValue, schemaOfType } from './schema-of-type.js';

type Ts = typeof ts;

/** A filter in a program. */
export interface FilterText {
  readonly literal: LiteralText;
  /** The kind of row, where the compiler knows it. */
  readonly schema: Schema | null;
  readonly level?: Level;
  readonly dialect?: Dialect;
  readonly allowUnknownFields?: boolean;
  /** Parts of the source with values known only at run time: nothing is reported about them. */
  readonly holes: readonly Hole[];
}

/** The schema of a filter, and the options with which it is parsed. */
type FilterLanguage = Omit<FilterText, 'literal' | 'holes'>;

/** UTF-16 offsets in the text of the filter. */
export interface Hole {
  readonly start: number;
  readonly end: number;
}

/** Functions of a program that take a filter: their name, and which argument it is, from 0. */
export interface FilterFunction {
  readonly name: string;
  readonly argument?: number;
  /** The argument whose type is the schema, or has it as its property `schema`. Default: the one after the filter. */
  readonly options?: number;
}

export interface FindOptions {
  readonly functions?: readonly FilterFunction[];
  /** Properties of objects that hold a filter, in addition to `filter` of the options of lists. */
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
  'toAgGrid',
  'toOData',
  'toQueryBuilder',
]);
const template = 'filter';

/** Methods of `tamis` that take a filter: which argument it is, by the type that declares the method. */
const ownMethods: ReadonlyMap<string, { readonly type: string; readonly argument: number }> = new Map([
  ['add', { type: 'FilterSet', argument: 1 }],
  ['where', { type: 'SqlMapping', argument: 0 }],
]);

/**
 * All filters of a file whose text is known, in source order.
 *
 * @param checker null without types: filters are found by their imports, and no schema is known.
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
  /** By the type that declares it: most filters of a file are about one kind of row. */
  private readonly schemas = new Map<ts.Type, Schema | null>();
  private readonly imports: ReadonlyMap<string, string>;
  /** Names that are declared more than once: without types they are ambiguous. */
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
    const method = given === undefined ? this.methodArgument(name, node.expression) : null;
    const origin = given === undefined && method === null ? this.originOf(name, node.expression) : null;
    if (given === undefined && method === null && (origin === null || !ownFunctions.has(origin))) return;
    const at = given?.argument ?? method ?? 0;
    const text = node.arguments[at];
    const options = node.arguments[given?.options ?? at + 1];
    if (text !== undefined) this.add(text, options, method === null ? null : this.languageOfReceiver(node));
  }

  /** The argument of a method that takes a filter; null for anything else, and without types. */
  private methodArgument(name: ts.Identifier, callee: ts.Expression): number | null {
    const known = ownMethods.get(name.text);
    if (known === undefined || this.checker === null || callee === name) return null;
    const [declaration] = this.checker.getSymbolAtLocation(name)?.declarations ?? [];
    if (declaration === undefined || !isOurs(declaration.getSourceFile().fileName)) return null;
    const { parent } = declaration;
    const isType = this.ts.isInterfaceDeclaration(parent) || this.ts.isClassDeclaration(parent);
    return isType && parent.name?.text === known.type ? known.argument : null;
  }

  private template(node: ts.TaggedTemplateExpression): void {
    const name = calledName(this.ts, node.tag);
    if (name === null || this.originOf(name, node.tag) !== template) return;
    const { template: body } = node;
    const spans = this.ts.isTemplateExpression(body) ? body.templateSpans : [];
    const head = this.ts.isTemplateExpression(body) ? body.head : body;
    const pieces: Piece[] = [];
    const holes: Hole[] = [];
    let length = 0;
    const add = (piece: Piece): void => {
      pieces.push(piece);
      length += piece.text.length;
    };
    const addText = (part: ts.TemplateLiteralToken | ts.NoSubstitutionTemplateLiteral): void => {
      // The raw source between the quotes: backslashes belong to the filter.
      const raw = part
        .getText()
        .replace(/^[`}]/, '')
        .replace(/(?:`|\$\{)$/, '');
      add(rawPiece(raw, part.getStart() + 1));
    };
    addText(head);
    for (const { expression, literal } of spans) {
      const sample = this.sampleOf(expression);
      if (sample === null) return;
      holes.push({ start: length, end: length + sample.length });
      add(holePiece(sample, { start: expression.getStart(), end: expression.getEnd() }));
      addText(literal);
    }
    this.found.push({ literal: joinPieces(pieces), schema: null, holes });
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

  /** `filter: '...'` in the options of a list, `when` of the rules of a policy, and what the settings name. */
  private property(node: ts.PropertyAssignment): void {
    const { ts } = this;
    if (!ts.isIdentifier(node.name) && !ts.isStringLiteral(node.name)) return;
    const name = node.name.text;
    const isNamed = this.properties.has(name);
    if (!isNamed && name !== 'filter' && name !== 'when') return;
    if (!isNamed && !this.isOwnOption(node.parent, name)) return;
    const { parent: call } = node.parent;
    const known =
      name === 'when'
        ? this.languageOfRules(node.parent)
        : ts.isCallExpression(call)
          ? this.languageOfReceiver(call)
          : null;
    this.add(node.initializer, node.parent, known);
  }

  /** What is known of `list` in `list.page(..)`. */
  private languageOfReceiver({ expression: callee }: ts.CallExpression): FilterLanguage | null {
    return this.ts.isPropertyAccessExpression(callee) ? this.languageFrom(callee.expression, 0) : null;
  }

  /** The language of the rules of `definePolicy`, from one of its rules; null if the rule is written elsewhere. */
  private languageOfRules(rule: ts.Node): FilterLanguage | null {
    const { checker } = this;
    for (let node = rule.parent; checker !== null && !this.ts.isStatement(node); node = node.parent) {
      if (!this.ts.isObjectLiteralExpression(node)) continue;
      const [rows, caller] = ['schema', 'caller'].map((name) => this.typeOfProperty(node, name));
      return rows && caller ? { schema: schemaOfType(checker, rows, caller) } : null;
    }
    return null;
  }

  /** The type of a property of an expression; null if its type has no such property. */
  private typeOfProperty(expression: ts.Node, name: string): ts.Type | null {
    const property = this.checker?.getTypeAtLocation(expression).getProperty(name);
    return property === undefined
      ? null
      : (this.checker?.getTypeOfSymbolAtLocation(property, expression) ?? null);
  }

  /** The schema with which a table, list, set or mapping was created, found by its type or by how a constant is initialized. */
  private languageFrom(expression: ts.Expression, depth: number): FilterLanguage | null {
    const { ts, checker } = this;
    if (checker === null || depth > maxCreations) return null;
    if (
      ts.isParenthesizedExpression(expression) ||
      ts.isAwaitExpression(expression) ||
      ts.isAsExpression(expression)
    )
      return this.languageFrom(expression.expression, depth + 1);
    for (const type of [checker.getTypeAtLocation(expression), this.typeOfProperty(expression, 'schema')]) {
      const schema = type === null ? null : this.schemaOf(checker, type);
      if (schema !== null) return { schema };
    }
    if (ts.isCallExpression(expression)) return this.languageOfCreation(expression, depth);
    const initializer = this.initializerOf(expression);
    return initializer === null ? null : this.languageFrom(initializer, depth + 1);
  }

  /** The schema among the arguments of a function of `tamis`, and the options next to it. */
  private languageOfCreation(call: ts.CallExpression, depth: number): FilterLanguage | null {
    const declaration = this.checker?.getResolvedSignature(call)?.getDeclaration();
    if (declaration === undefined || !isOurs(declaration.getSourceFile().fileName)) return null;
    let found: FilterLanguage | null = null;
    let options = {};
    for (const each of call.arguments) {
      found ??= this.languageFrom(each, depth + 1);
      options = { ...options, ...this.optionsOf(each) };
    }
    return found === null ? null : { ...options, ...found };
  }

  /** The initializer of a constant or of a readonly property, in any file. */
  private initializerOf(expression: ts.Expression): ts.Expression | null {
    const { ts, checker } = this;
    const symbol = checker?.getSymbolAtLocation(expression);
    if (checker === null || symbol === undefined) return null;
    const { valueDeclaration: declaration } =
      (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
    if (declaration === undefined) return null;
    const isConstant =
      (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0 ||
      (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0;
    const isInitialized = ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration);
    return isInitialized && isConstant ? (declaration.initializer ?? null) : null;
  }

  private isOwnOption(object: ts.ObjectLiteralExpression, name: string): boolean {
    const type = this.checker?.getContextualType(object);
    // An optional parameter may be undefined, too.
    const property =
      type === undefined ? undefined : this.checker?.getNonNullableType(type).getProperty(name);
    return property?.declarations?.some((each) => isOurs(each.getSourceFile().fileName)) ?? false;
  }

  private add(
    expression: ts.Expression,
    options: ts.Expression | undefined,
    known: FilterLanguage | null = null,
  ): void {
    const literal = readLiteralText(this.ts, expression, (name) => this.constant(name));
    if (literal === null) return;
    const own = this.optionsOf(options);
    this.found.push({ literal, holes: [], ...known, ...own, schema: own.schema ?? known?.schema ?? null });
  }

  private optionsOf(options: ts.Expression | undefined): FilterLanguage {
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
      const container =
        callee === name
          ? name.text
          : ts.isPropertyAccessExpression(callee)
            ? callee.expression.getText()
            : '';
      const imported = this.ambiguous.has(container) ? undefined : this.imports.get(container);
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

/** Maximum number of calls and constants between a query and the schema of its list. Prevents endless recursion. */
const maxCreations = 16;

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

function isDialect(value: string | number | boolean | null): value is Dialect {
  return value === 'go-bexpr' || value === 'standard';
}
