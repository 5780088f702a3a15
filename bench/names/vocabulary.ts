import ts from 'typescript';

/** A file of the harness. */
export interface Source {
  /** Relative to bench/, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Everything in the rows and the filters that an engine could have been made for. */
export interface Vocabulary {
  /** Names of fields and keys of maps that are identifiers. */
  readonly names: ReadonlySet<string>;
  /** Keys of maps with dots in them. */
  readonly keys: ReadonlySet<string>;
  /** Words of texts, in lower case. */
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
}

/** The files that name the rows. Their strings and the names of their properties are drawn again; no other's are. */
export function speaksOfRows(path: string): boolean {
  return /^(?:data\/(?:event|job|node|schemas|shape|values)|cases\/(?!condition\.|wide-)[\w-]+)\.ts$/.test(
    path,
  );
}

/** The files whose strings and properties are the vocabulary: those that create the rows and the values of filters. */
const origins = ['data/event.ts', 'data/job.ts', 'data/node.ts', 'data/values.ts'];

/** Strings in these files other than names of fields. */
const ownProperties = new Set(['length']);

/**
 * Words with a meaning for the harness or in the language of the engine. A row that used one would change the meaning of the code
 * next to it.
 */
const meant = new Set(
  `all and any as both case contains either empty equal holds in is jobs matches mono nil nodes not object of one or
  poly some starts tg unequal with`.split(/\s+/),
);

/** The list of numbers that are drawn. */
const numberList = 'priorities';

/** @throws Error for a word that has a meaning of its own. */
export function readVocabulary(sources: readonly Source[]): Vocabulary {
  const names = new Set<string>();
  const keys = new Set<string>();
  const words = new Set<string>();
  const numbers = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isPropertyAssignment(node) || ts.isPropertySignature(node)) {
      if (ts.isIdentifier(node.name) && !ownProperties.has(node.name.text)) names.add(node.name.text);
      if (ts.isStringLiteral(node.name)) keys.add(node.name.text);
    }
    if (ts.isVariableDeclaration(node) && node.name.getText() === numberList) {
      for (const text of node.getText().match(/\d+/g) ?? []) numbers.add(Number(text));
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      for (const word of wordsOf(node.text)) words.add(word);
    }
    ts.forEachChild(node, visit);
  };
  for (const { path, text } of sources.filter((source) => origins.includes(source.path)))
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true));
  for (const word of [...names, ...keys, ...words])
    if (meant.has(word))
      throw new Error(`the rows of the benchmarks must not say ${word}: it means something`);
  return { names, keys, words, numbers };
}

/** The words of a string that is not a pattern, in lower case. Single letters do not count. */
export function wordsOf(text: string): string[] {
  return (text.match(/[A-Za-z]{2,}/g) ?? []).map((word) => word.toLowerCase());
}
