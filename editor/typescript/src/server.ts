import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minimatch } from 'minimatch';
import { parseSchema, schemaFromJSONSchema, type Level, type Schema } from 'tamis';
import { complete, format, hover, type CompletionKind } from 'tamis/editor';
import {
  CodeActionKind,
  CompletionItemKind,
  createConnection,
  DiagnosticSeverity,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { filtersOfDocument, type DocumentFilters } from './document-filters.js';
import type { FilterText } from './find-filters.js';
import { offsetIn } from './offset-in.js';
import { problemsOf } from './problems.js';

/** Files that hold filters, as the setting `filters` names them. */
interface FilterSetting {
  /** A glob, from the folder that is open. */
  readonly files: string;
  /** A file with a schema, or a JSON Schema, from the same folder. */
  readonly schema?: string;
  /** Keys in JSON and YAML, `*` for any. Without it the whole file is a filter. */
  readonly at?: readonly string[];
  readonly level?: Level;
}

/** What is in force until settings say otherwise: files of this name are filters. */
const usual: readonly FilterSetting[] = [{ files: '**/*.tamis' }];

/** Largest document that is looked at, in UTF-16 units: it is read at every keystroke. */
const largest = 1_000_000;

/** A language server (LSP 3.17) for filters in files of their own, and in strings of JSON and YAML. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  let folder = process.cwd();
  let settings = usual;

  const settingOf = (uri: string): FilterSetting | null => {
    const file = pathOf(uri);
    if (file === null) return null;
    const path = relative(folder, file).replaceAll('\\', '/');
    return settings.find(({ files }) => minimatch(path, files, { dot: true })) ?? null;
  };
  const filtersIn = (document: TextDocument): readonly FilterText[] => {
    const setting = settingOf(document.uri);
    const text = document.getText();
    if (setting === null || text.length > largest) return [];
    const known: DocumentFilters = {
      schema: setting.schema === undefined ? null : schemaOf(resolve(folder, setting.schema), connection),
      at: setting.at ?? null,
      ...(setting.level !== undefined && { level: setting.level }),
    };
    return filtersOfDocument(text, known);
  };
  const rangeIn = (document: TextDocument, start: number, end: number): { start: Place; end: Place } => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  });
  const filterAt = (
    uri: string,
    position: Place,
  ): { document: TextDocument; filter: FilterText; offset: number } | null => {
    const document = documents.get(uri);
    if (document === undefined) return null;
    for (const filter of filtersIn(document)) {
      const offset = offsetIn(filter.literal, document.offsetAt(position));
      if (offset !== null) return { document, filter, offset };
    }
    return null;
  };
  const show = (document: TextDocument): void => {
    const problems = filtersIn(document).flatMap((each) => problemsOf(each));
    void connection.sendDiagnostics({
      uri: document.uri,
      version: document.version,
      diagnostics: problems.map(({ severity, code, start, end, message }) => ({
        severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
        code,
        source: 'tamis',
        range: rangeIn(document, start, end),
        message,
      })),
    });
  };
  const apply = (given: unknown): void => {
    const { filters } = (given ?? {}) as { readonly filters?: unknown };
    if (filters !== undefined && !Array.isArray(filters))
      connection.console.warn('tamis.filters: expected a list');
    settings = Array.isArray(filters)
      ? filters.flatMap((each, at) => readSetting(each, at, connection))
      : usual;
    schemas.clear();
    for (const document of documents.all()) show(document);
  };

  connection.onInitialize(({ workspaceFolders, rootUri, initializationOptions }: InitializeParams) => {
    const [first] = workspaceFolders ?? [];
    folder = pathOf(first?.uri ?? rootUri ?? '') ?? folder;
    apply(initializationOptions);
    return {
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: [' ', '.', '"', '['] },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        documentFormattingProvider: true,
      },
    };
  });
  connection.onDidChangeConfiguration(({ settings: changed }) => {
    apply((changed as { readonly tamis?: unknown } | null)?.tamis);
  });
  connection.onDidChangeWatchedFiles(() => {
    schemas.clear();
    for (const document of documents.all()) show(document);
  });
  documents.onDidChangeContent(({ document }) => show(document));
  documents.onDidClose(
    ({ document }) => void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }),
  );

  connection.onCompletion(({ textDocument, position }) => {
    const place = filterAt(textDocument.uri, position);
    if (place === null) return [];
    const { document, filter, offset } = place;
    const { from, to, items } = complete(filter.literal.text, offset, schemaOption(filter));
    const range = rangeIn(document, filter.literal.sourceAt(from), filter.literal.sourceAt(to));
    return items.flatMap(({ label, kind, insert, detail }, index) => {
      const newText = filter.literal.write(insert, from);
      if (newText === null) return [];
      const sortText = String(index).padStart(4, '0');
      // An editor compares with what stands in the range.
      return [
        { label, kind: itemKinds[kind], detail, sortText, filterText: newText, textEdit: { range, newText } },
      ];
    });
  });
  connection.onHover(({ textDocument, position }) => {
    const place = filterAt(textDocument.uri, position);
    const found =
      place === null ? null : hover(place.filter.literal.text, place.offset, schemaOption(place.filter));
    if (place === null || found === null) return null;
    const { literal } = place.filter;
    const { start, end } = found.span;
    return {
      contents: { kind: 'plaintext', value: found.text },
      range: rangeIn(place.document, literal.sourceAt(start), literal.sourceAt(end)),
    };
  });
  connection.onCodeAction(({ textDocument, range }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return [];
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return filtersIn(document)
      .flatMap((each) => problemsOf(each))
      .filter(({ start, end }) => start <= to && end >= from)
      .flatMap(({ fixes }) =>
        fixes.map(({ title, start, end, text }) => ({
          title,
          kind: CodeActionKind.QuickFix,
          edit: { changes: { [document.uri]: [{ range: rangeIn(document, start, end), newText: text }] } },
        })),
      );
  });
  connection.onDocumentFormatting(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    const setting = settingOf(textDocument.uri);
    // Of JSON and YAML others know the form.
    if (document === undefined || setting === null || setting.at !== undefined) return [];
    const text = document.getText();
    const { text: formatted, problem } = format(text.replace(/^\ufeff/, '').trimEnd());
    if (problem !== null || text.length > largest) return [];
    return [{ range: rangeIn(document, 0, text.trimEnd().length), newText: formatted }];
  });
  documents.listen(connection);
  connection.listen();
}

/** The path of a file; null for what is none on this machine. */
function pathOf(uri: string): string | null {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : null;
  } catch {
    // Another host, or characters that no path has.
    return null;
  }
}

/** A glob that somebody writes; longer ones make the matcher throw. */
const longestGlob = 1_000;

/** A setting that is what {@link FilterSetting} says; none, and a warning, for another. */
function readSetting(given: unknown, index: number, connection: Connection): FilterSetting[] {
  const { files, schema, at, level } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const expected =
    typeof files !== 'string' || files.length > longestGlob
      ? `files: expected a glob of at most ${longestGlob} characters`
      : schema !== undefined && typeof schema !== 'string'
        ? 'schema: expected the path of a file'
        : at !== undefined &&
            !(Array.isArray(at) && at.every((key) => ['string', 'number'].includes(typeof key)))
          ? 'at: expected a list of keys, such as ["rules", "*", "filter"]'
          : level !== undefined && level !== 0 && level !== 1
            ? 'level: expected 0 or 1'
            : null;
  if (expected !== null) {
    connection.console.warn(`tamis.filters[${index}].${expected}`);
    return [];
  }
  return [
    {
      files: String(files).replace(/^\.\//, ''),
      ...(typeof schema === 'string' && { schema }),
      ...(Array.isArray(at) && { at: at.map(String) }),
      ...((level === 0 || level === 1) && { level }),
    },
  ];
}

interface Place {
  readonly line: number;
  readonly character: number;
}

const itemKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  binding: CompletionItemKind.Variable,
  operator: CompletionItemKind.Operator,
  keyword: CompletionItemKind.Keyword,
  value: CompletionItemKind.Value,
};

function schemaOption({ schema }: FilterText): { schema?: Schema } {
  return schema === null ? {} : { schema };
}

function resolve(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/** Schemas by their files, until the settings change. */
const schemas = new Map<string, Schema | null>();

function schemaOf(path: string, connection: Connection): Schema | null {
  const known = schemas.get(path);
  if (known !== undefined) return known;
  const read = readSchema(path, connection);
  schemas.set(path, read);
  return read;
}

function readSchema(path: string, connection: Connection): Schema | null {
  try {
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const isOurs = typeof document === 'object' && document !== null && 'structs' in document;
    return isOurs ? parseSchema(document) : schemaFromJSONSchema(document);
  } catch (error) {
    connection.console.warn(
      `${path} is no schema: ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  }
}

serve(createConnection(ProposedFeatures.all));
