// One program over all sources of the repository, and the names in it: which occurrences belong to the same declaration.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Pairs of properties that the checker compares when it checks that one type is assignable to another. An optional property that
 * is renamed in one of the two types only is not an error, so the tool must know the pair. The compiler has no hook for
 * it: this adds one to a copy in memory.
 */
const comparedProperties = [];
let recordsName;
const ts = loadCompiler();
export { ts };

/** Returns the paths of all committed sources, relative to the root. */
export function sourceFiles() {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .filter((file) => /\.(ts|tsx|mts|cts|mjs|js)$/.test(file) && !file.startsWith('scripts/rename/'));
}

/** Creates the program. `overlay` maps absolute paths to texts that replace what is on disk. */
export function createProgram(overlay = new Map(), oldProgram = undefined) {
  const options = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX,
    jsxImportSource: 'preact',
    types: ['node', 'vite/client'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    resolveJsonModule: true,
    paths: {
      tamis: [join(root, 'src/index.ts')],
      'tamis/*': [join(root, 'src/entries/*.ts')],
    },
  };
  const host = ts.createCompilerHost(options, true);
  const { readFile, getSourceFile } = host;
  host.readFile = (file) => overlay.get(file) ?? readFile(file);
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = overlay.get(file);
    if (text === undefined) {
      return oldProgram?.getSourceFile(file) ?? getSourceFile(file, languageVersion, ...rest);
    }
    return ts.createSourceFile(file, text, languageVersion, true);
  };
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) => {
      const built = /^(?:\.\.\/)+dist\/([a-z-]+)\.(?:js|cjs)$/.exec(text)?.[1];
      const name =
        built === undefined
          ? text
          : built === 'index'
            ? join(root, 'src/index.ts')
            : join(root, `src/entries/${built}.ts`);
      return ts.resolveModuleName(name, containingFile, options, host, cache);
    });
  const rootNames = sourceFiles().map((file) => join(root, file));
  return ts.createProgram({ rootNames, options, host });
}

/** Relative path of a source file of ours, undefined for libraries. */
export function ownPath(sourceFile) {
  const path = relative(root, sourceFile.fileName);
  return path.startsWith('..') || path.includes('node_modules/') ? undefined : path;
}

/**
 * Collects the occurrences of all names for which `isWanted` is true.
 *
 * An occurrence is `{ file, start, end, name, form, group, other }`: `form` is `plain`, or `shorthand`/`binding` where one token is both
 * a property (`group`) and a variable (`other`). A group is `{ id, name, kinds, declarations: [{ file, line, container, kind }], isForeign }`.
 */
export function collect(program, isWanted, { links = false } = {}) {
  const checker = program.getTypeChecker();
  const parents = new Map();
  const facts = new Map();
  const occurrences = [];
  const unresolved = [];

  if (links) {
    comparedProperties.length = 0;
    recordsName = isWanted;
    for (const file of program.getSourceFiles())
      if (ownPath(file) !== undefined) program.getSemanticDiagnostics(file);
  }

  for (const sourceFile of program.getSourceFiles()) {
    const file = ownPath(sourceFile);
    if (file === undefined || file.endsWith('.json')) continue;
    const visit = (node) => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
        if (isWanted(node.text)) addOccurrence(sourceFile, file, node);
      } else if (ts.isStringLiteralLike(node) && isWanted(node.text) && isNameLiteral(node)) {
        addOccurrence(sourceFile, file, node);
      }
      for (const doc of node.jsDoc ?? []) visit(doc);
      ts.forEachChild(node, visit);
    };
    visit(sourceFile);
  }
  const pairs = links ? comparedProperties.map(([one, other]) => [keysOf(one)[0], keysOf(other)[0]]) : [];

  const groups = new Map();
  for (const [key, fact] of facts) {
    const id = find(key);
    let group = groups.get(id);
    if (group === undefined) {
      group = { id, name: fact.name, declarations: [], isForeign: false };
      groups.set(id, group);
    }
    group.declarations.push(fact);
    group.isForeign ||= fact.file === undefined;
  }
  for (const group of groups.values()) {
    group.kinds = [...new Set(group.declarations.map(({ kind }) => kind))].sort();
  }
  for (const occurrence of occurrences) {
    const { keys, otherKeys } = occurrence;
    occurrence.group = keys.length === 0 ? undefined : groups.get(find(keys[0]));
    occurrence.other = otherKeys.length === 0 ? undefined : groups.get(find(otherKeys[0]));
  }
  const linked = pairs
    .filter(([one, other]) => one !== undefined && other !== undefined && find(one) !== find(other))
    .map(([one, other]) => [groups.get(find(one)), groups.get(find(other))]);
  return { groups: [...groups.values()], occurrences, unresolved, facts, linked };

  function addOccurrence(sourceFile, file, node) {
    const occurrence = {
      file,
      start: node.getStart(sourceFile),
      end: node.getEnd(),
      name: node.text,
      form: 'plain',
      keys: [],
      otherKeys: [],
      isLiteral: ts.isStringLiteralLike(node),
      inDoc: isInDoc(node),
    };
    occurrence.isLexical = !occurrence.isLiteral && isLexical(node);
    if (occurrence.isLiteral) {
      occurrence.start += 1;
      occurrence.end -= 1;
    }
    if (ts.isPrivateIdentifier(node)) occurrence.isPrivate = true;
    const { parent } = node;
    if (ts.isShorthandPropertyAssignment(parent) && parent.name === node) {
      occurrence.form = 'shorthand';
      occurrence.keys = groupOf([...destructured(node), ...ownProperty(parent), ...contextual(parent)]);
      occurrence.otherKeys = groupOf([checker.getShorthandAssignmentValueSymbol(parent)]);
    } else if (
      ts.isBindingElement(parent) &&
      parent.name === node &&
      parent.propertyName === undefined &&
      parent.dotDotDotToken === undefined &&
      ts.isObjectBindingPattern(parent.parent)
    ) {
      occurrence.form = 'binding';
      occurrence.keys = groupOf(propertiesOf(checker.getTypeAtLocation(parent.parent), node.text));
      occurrence.otherKeys = groupOf([parent.symbol]);
    } else {
      occurrence.keys = groupOf(plainSymbols(node));
    }
    if (occurrence.keys.length === 0 && occurrence.otherKeys.length === 0)
      unresolved.push(describeNode(sourceFile, file, node));
    occurrences.push(occurrence);
  }

  function plainSymbols(node) {
    const { parent } = node;
    if (ts.isBindingElement(parent) && parent.propertyName === node) {
      return propertiesOf(checker.getTypeAtLocation(parent.parent), node.text);
    }
    if (ts.isPropertyAssignment(parent) && parent.name === node && isAssignmentPattern(parent.parent)) {
      return destructured(node);
    }
    if (ts.isBinaryExpression(parent) && ts.isStringLiteralLike(node)) {
      return propertiesOf(checker.getTypeAtLocation(parent.right), node.text);
    }
    if (ts.isNamedTupleMember(parent)) return [{ declarations: [parent], flags: 0, name: node.text }];
    const symbol = ts.isStringLiteralLike(node) ? literalSymbol(node) : checker.getSymbolAtLocation(node);
    const all = [symbol];
    if (
      ts.isParameter(parent) &&
      parent.name === node &&
      ts.isParameterPropertyDeclaration(parent, parent.parent)
    ) {
      all.push(...checker.getSymbolsOfParameterPropertyDeclaration(parent, node.text));
      all.push(...inheritedBy(parent.parent.parent, node.text));
    }
    if (ts.isExportSpecifier(parent) && parent.propertyName === undefined) {
      all.push(checker.getExportSpecifierLocalTargetSymbol(parent));
    }
    if (isMember(parent) && parent.name === node)
      all.push(...contextual(parent), ...inheritedBy(parent.parent, node.text));
    if (ts.isJsxAttribute(parent) && parent.name === node) all.push(...contextual(parent));
    return all;
  }

  function literalSymbol(node) {
    const { parent } = node;
    if (ts.isElementAccessExpression(parent)) {
      return checker.getPropertyOfType(
        checker.getApparentType(checker.getTypeAtLocation(parent.expression)),
        node.text,
      );
    }
    if (ts.isLiteralTypeNode(parent)) {
      let list = parent.parent;
      if (ts.isUnionTypeNode(list)) list = list.parent;
      if (ts.isIndexedAccessTypeNode(list)) {
        return checker.getPropertyOfType(checker.getTypeFromTypeNode(list.objectType), node.text);
      }
      const [first] = list.typeArguments ?? [];
      return first && checker.getPropertyOfType(checker.getTypeFromTypeNode(first), node.text);
    }
    return checker.getSymbolAtLocation(node);
  }

  /** Property symbols by that name in a type, in each part of a union. */
  function propertiesOf(type, name) {
    const parts = type.isUnion() ? type.types : [type];
    return parts
      .map((part) => checker.getPropertyOfType(checker.getApparentType(part), name))
      .filter(Boolean);
  }

  function contextual(member) {
    const type = checker.getContextualType(member.parent);
    return type === undefined || member.name === undefined ? [] : propertiesOf(type, member.name.text);
  }

  function ownProperty(member) {
    return member.symbol === undefined || isAssignmentPattern(member.parent) ? [] : [member.symbol];
  }

  function destructured(node) {
    if (!isAssignmentPattern(node.parent.parent)) return [];
    return [checker.getPropertySymbolOfDestructuringAssignment(node)];
  }

  function inheritedBy(owner, name) {
    return (owner.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap((type) => propertiesOf(checker.getTypeAtLocation(type), name)),
    );
  }

  /** Keys of all declarations, which are one group from now on. */
  function groupOf(symbols) {
    const keys = [...new Set(symbols.filter(Boolean).flatMap((symbol) => keysOf(symbol)))];
    for (const key of keys) union(keys[0], key);
    return keys;
  }

  function keysOf(symbol) {
    return (
      symbol.checkFlags === undefined && symbol.flags === 0 ? [symbol] : checker.getRootSymbols(symbol)
    ).flatMap((each) => {
      const target = canonical(each);
      return (target.declarations ?? []).map((declaration) => keyOf(declaration, target));
    });
  }

  /** Follows imports and exports as long as the name is the same. */
  function canonical(symbol) {
    let current = symbol;
    while (current.flags & ts.SymbolFlags.Alias) {
      const next = checker.getImmediateAliasedSymbol(current);
      if (
        next === undefined ||
        next === current ||
        next.escapedName !== current.escapedName ||
        !next.declarations?.length
      )
        break;
      current = next;
    }
    return current;
  }

  function keyOf(declaration, symbol) {
    const sourceFile = declaration.getSourceFile();
    const at = (declaration.name ?? declaration).getStart(sourceFile);
    const key = `${sourceFile.fileName}:${at}:${declaration.kind}`;
    if (!facts.has(key)) {
      const file = ownPath(sourceFile);
      facts.set(key, {
        name: symbol.name,
        file,
        line:
          file === undefined
            ? 0
            : sourceFile.getLineAndCharacterOfPosition(declaration.getStart(sourceFile)).line + 1,
        at,
        syntax: declaration.kind,
        kind: kindOf(declaration),
        scope: file === undefined ? undefined : scopeOf(declaration),
        container: containerOf(declaration),
        isExported: (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0,
        isQuoted: declaration.name !== undefined && ts.isStringLiteralLike(declaration.name),
      });
      parents.set(key, key);
    }
    return key;
  }

  function find(key) {
    let current = key;
    while (parents.get(current) !== current) current = parents.get(current);
    let step = key;
    while (parents.get(step) !== current) {
      const next = parents.get(step);
      parents.set(step, current);
      step = next;
    }
    return current;
  }

  function union(one, other) {
    parents.set(find(other), find(one));
  }
}

function describeNode(sourceFile, file, node) {
  const { line } = sourceFile.getLineAndCharacterOfPosition(node.getStart(sourceFile));
  return {
    file,
    line: line + 1,
    name: node.text,
    start: node.getStart(sourceFile),
    inDoc: isInDoc(node),
    parent: ts.SyntaxKind[node.parent.kind],
    text: sourceFile.text.split('\n')[line].trim().slice(0, 140),
  };
}

function isInDoc(node) {
  for (let current = node; current !== undefined; current = current.parent) {
    if (current.kind >= ts.SyntaxKind.FirstJSDocNode && current.kind <= ts.SyntaxKind.LastJSDocNode)
      return true;
  }
  return false;
}

function isMember(node) {
  return (
    ts.isPropertyAssignment(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isGetAccessor(node) ||
    ts.isSetAccessor(node)
  );
}

/** Whether a literal names a property: a key, an element access, the left side of `in`, an argument of Pick and the like. */
function isNameLiteral(node) {
  const { parent } = node;
  if (isMember(parent) && parent.name === node) return true;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node;
  if (ts.isBinaryExpression(parent))
    return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.InKeyword;
  if (!ts.isLiteralTypeNode(parent)) return false;
  const list = ts.isUnionTypeNode(parent.parent) ? parent.parent.parent : parent.parent;
  if (ts.isIndexedAccessTypeNode(list)) return true;
  const name = ts.isTypeReferenceNode(list)
    ? list.typeName
    : ts.isExpressionWithTypeArguments(list)
      ? list.expression
      : undefined;
  return name !== undefined && /^(Pick|Omit)$/.test(name.getText());
}

function isAssignmentPattern(node) {
  for (let current = node; current !== undefined; current = current.parent) {
    const { parent } = current;
    if (parent === undefined) return false;
    if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      return parent.left === current;
    if (ts.isForOfStatement(parent)) return parent.initializer === current;
    const isNested =
      ts.isObjectLiteralExpression(current) ||
      ts.isArrayLiteralExpression(current) ||
      ts.isPropertyAssignment(current);
    if (!isNested) return false;
  }
  return false;
}

/** Start and end of the part of the file in which a declared name can be used. */
function scopeOf(declaration) {
  let declared = declaration;
  while (
    ts.isBindingElement(declared) ||
    ts.isObjectBindingPattern(declared) ||
    ts.isArrayBindingPattern(declared)
  ) {
    declared = declared.parent;
  }
  const scope = ts.isParameter(declared) ? declared.parent : ts.getEnclosingBlockScopeContainer(declared);
  return scope === undefined ? [0, Infinity] : [scope.getFullStart(), scope.getEnd()];
}

/** Whether an identifier names something in scope, and not a member of a type or of a module. */
export function isLexical(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return (parent.left ?? parent.expression) === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (isMember(parent) || ts.isEnumMember(parent) || ts.isJsxAttribute(parent)) return parent.name !== node;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent)) return parent.propertyName !== node;
  if (ts.isNamedTupleMember(parent)) return parent.name !== node;
  return !ts.isExportSpecifier(parent) || parent.propertyName === undefined || parent.propertyName === node;
}

function kindOf(declaration) {
  if (ts.isVariableDeclaration(declaration) || ts.isBindingElement(declaration)) return 'variable';
  if (ts.isParameter(declaration)) return 'parameter';
  if (ts.isFunctionDeclaration(declaration) || ts.isFunctionExpression(declaration)) return 'function';
  if (ts.isClassDeclaration(declaration) || ts.isClassExpression(declaration)) return 'class';
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) return 'type';
  if (ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration)) return 'method';
  if (
    ts.isImportClause(declaration) ||
    ts.isNamespaceImport(declaration) ||
    ts.isImportSpecifier(declaration)
  )
    return 'import';
  if (ts.isExportSpecifier(declaration)) return 'export';
  if (ts.isTypeParameterDeclaration(declaration)) return 'typeParameter';
  if (ts.isEnumMember(declaration)) return 'enumMember';
  if (ts.isNamedTupleMember(declaration)) return 'label';
  return 'property';
}

/** Name of the type, class or function around a declaration. */
function containerOf(declaration) {
  for (let current = declaration.parent; current !== undefined; current = current.parent) {
    if (current.name !== undefined && !ts.isSourceFile(current)) return current.name.getText();
  }
  return '';
}

function loadCompiler() {
  const path = require.resolve('typescript');
  const marker = /function propertyRelatedTo\((\w+), (\w+), (\w+), (\w+), [^)]*\) \{/;
  const text = readFileSync(path, 'utf8');
  const found = marker.exec(text);
  if (found === null) throw new Error('rename: this version of typescript has no propertyRelatedTo');
  const Module = require('node:module');
  const copy = new Module(path);
  copy.filename = path;
  copy.paths = Module._nodeModulePaths(dirname(path));
  globalThis.recordComparedProperties = (one, other) => {
    if (one !== other && recordsName?.(one.name)) comparedProperties.push([one, other]);
  };
  copy._compile(
    text.replace(found[0], `${found[0]} globalThis.recordComparedProperties(${found[3]}, ${found[4]});`),
    path,
  );
  return copy.exports;
}
