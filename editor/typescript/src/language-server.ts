import { setImmediate } from 'node:timers/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minimatch } from 'minimatch';
import { complete, format, hover, type CompletionKind } from 'tamis/editor';
import {
  CodeActionKind,
  CompletionItemKind,
  DiagnosticSeverity,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { filtersOfDocument, type DocumentFilter } from './document-filters.js';
import { filtersBetween, FilterCache } from './filter-cache.js';
import { languageOf, problemsOf, schemaOf, type FilterProblem } from './problems.js';
import { readSettings, SchemaFiles, type FilterSetting } from './server-settings.js';

/** Largest document that is looked at, in UTF-16 units: each change of it is read. */
const maxSize = 1_000_000;

/** Pause in typing before mistakes are reported, in ms. For a document that has just been opened they are reported immediately. */
export const pauseMs = 200;

/** Maximum number of filters checked before pending requests are served. */
const checkedAtOnce = 200;

/** A language server (LSP 3.17) for filters in files of their own, and in strings of JSON and YAML. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const warn = (message: string): void => connection.console.warn(message);
  const schemas = new SchemaFiles(warn);
  let folder = process.cwd();
  let settings: readonly FilterSetting[] = [];

  const settingOf = (uri: string): FilterSetting | null => {
    const file = pathOf(uri);
    if (file === null) return null;
    const path = relative(folder, file).replaceAll('\\', '/');
    return settings.find(({ files }) => minimatch(path, files, { dot: true })) ?? null;
  };
  const cached = new FilterCache<TextDocument>((document): readonly DocumentFilter[] => {
    const setting = settingOf(document.uri);
    const text = document.getText();
    if (setting === null || text.length > maxSize) return [];
    return filtersOfDocument(text, {
      schema: setting.schema === undefined ? null : schemas.get(folder, setting.schema),
      at: setting.at ?? null,
      syntax: isJson(document) ? 'json' : 'yaml',
      ...(setting.level !== undefined && { level: setting.level }),
    });
  });
  const rangeIn = (
    document: TextDocument,
    start: number,
    end: number,
  ): { start: DocumentPosition; end: DocumentPosition } => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  });
  const filterAt = (
    uri: string,
    position: DocumentPosition,
  ): { document: TextDocument; filter: DocumentFilter; offset: number } | null => {
    const document = documents.get(uri);
    if (document === undefined) return null;
    const at = document.offsetAt(position);
    for (const filter of filtersBetween(cached.of(document), at, at)) {
      const offset = filter.literal.offsetAt(at);
      if (offset !== null) return { document, filter, offset };
    }
    return null;
  };
  /** Reports diagnostics of a document, unless it is changed meanwhile. */
  const report = async (document: TextDocument): Promise<void> => {
    const own = cached.of(document);
    const problems: FilterProblem[] = [];
    for (const [index, filter] of own.filters.entries()) {
      if (index % checkedAtOnce === checkedAtOnce - 1) {
        await setImmediate();
        if (documents.get(document.uri) !== document || !cached.isCurrent(document, own)) return;
      }
      problems.push(...problemsOf(filter));
    }
    await connection.sendDiagnostics({
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
  const publish = (document: TextDocument): void => {
    report(document).catch((error: unknown) => warn(`${document.uri}: ${String(error)}`));
  };
  /** Documents whose mistakes are reported after a pause in typing. */
  const waiting = new Map<string, NodeJS.Timeout>();
  const stopWaiting = (uri: string): void => {
    clearTimeout(waiting.get(uri));
    waiting.delete(uri);
  };
  const publishLater = (document: TextDocument): void => {
    stopWaiting(document.uri);
    const timer = setTimeout(() => {
      waiting.delete(document.uri);
      publish(document);
    }, pauseMs);
    waiting.set(document.uri, timer);
  };
  const publishAll = (): void => {
    cached.forgetAll();
    for (const document of documents.all()) {
      stopWaiting(document.uri);
      publish(document);
    }
  };
  const apply = (given: unknown): void => {
    settings = readSettings(given, warn);
    schemas.forget();
    publishAll();
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
    schemas.forget();
    publishAll();
  });
  const opened = new WeakSet<TextDocument>();
  documents.onDidChangeContent(({ document }) => {
    if (opened.has(document)) return publishLater(document);
    opened.add(document);
    publish(document);
  });
  documents.onDidClose(({ document: { uri } }) => {
    stopWaiting(uri);
    cached.forget(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });
  connection.onShutdown(() => {
    for (const uri of waiting.keys()) stopWaiting(uri);
  });

  connection.onCompletion(({ textDocument, position }) => {
    const at = filterAt(textDocument.uri, position);
    if (at === null) return [];
    const { document, filter, offset } = at;
    const { from, to, items } = complete(filter.literal.text, offset, languageOf(filter));
    return items.flatMap(({ label, kind, insert, detail }, index) => {
      const change = filter.literal.change(from, to, insert);
      if (change === null) return [];
      const newText = change.text;
      const range = rangeIn(document, change.start, change.end);
      const sortText = String(index).padStart(4, '0');
      // An editor compares with the content of the range.
      return [
        { label, kind: itemKinds[kind], detail, sortText, filterText: newText, textEdit: { range, newText } },
      ];
    });
  });
  connection.onHover(({ textDocument, position }) => {
    const offset = filterAt(textDocument.uri, position);
    const found =
      offset === null ? null : hover(offset.filter.literal.text, offset.offset, schemaOf(offset.filter));
    if (offset === null || found === null) return null;
    const { literal } = offset.filter;
    const { start, end } = literal.rangeOf(found.span.start, found.span.end);
    return {
      contents: { kind: 'plaintext', value: found.text },
      range: rangeIn(offset.document, start, end),
    };
  });
  connection.onCodeAction(({ textDocument, range }) => {
    const document = documents.get(textDocument.uri);
    if (document === undefined) return [];
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return filtersBetween(cached.of(document), from, to)
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
    if (problem !== null || text.length > maxSize) return [];
    return [{ range: rangeIn(document, 0, text.trimEnd().length), newText: formatted }];
  });
  documents.listen(connection);
  connection.listen();
}

/** The path of a file; null for a URL that is not a file on this machine. */
function pathOf(uri: string): string | null {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : null;
  } catch {
    // Another host, or characters that no path has.
    return null;
  }
}

interface DocumentPosition {
  readonly line: number;
  readonly character: number;
}

function isJson({ uri, languageId }: TextDocument): boolean {
  return /^jsonc?$/.test(languageId) || /\.(?:jsonc?|code-workspace|webmanifest)$/i.test(uri);
}

const itemKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  binding: CompletionItemKind.Variable,
  operator: CompletionItemKind.Operator,
  keyword: CompletionItemKind.Keyword,
  value: CompletionItemKind.Value,
};
