import { complete, hover, type CompletionKind } from 'tamis/editor';
import type ts from 'typescript';
import { findFilters, readFindOptions, type FilterText } from './find-filters.js';
import { languageOf, problemsIn, schemaOf, type FilterProblem } from './problems.js';

/** The code of all diagnostics: the key by which the language service requests corrections. */
export const diagnosticCode = 71_001;
const fixName = 'tamis';

/** The plugin of the language service: mistakes, completions, hovers and corrections inside of filters. */
export function createPlugin({ typescript }: { readonly typescript: typeof ts }): ts.server.PluginModule {
  return { create: (info) => decorate(typescript, info), getExternalFiles: () => [] };
}

function decorate(typescript: typeof ts, info: ts.server.PluginCreateInfo): ts.LanguageService {
  const service = info.languageService;
  const settings = readFindOptions(info.config);

  const filtersIn = (fileName: string): readonly FilterText[] => {
    const program = service.getProgram();
    const file = program?.getSourceFile(fileName);
    if (program === undefined || file === undefined) return [];
    return findFilters(typescript, file, program.getTypeChecker(), settings);
  };
  const filterAt = (fileName: string, position: number): { filter: FilterText; offset: number } | null => {
    for (const filter of filtersIn(fileName)) {
      const offset = filter.literal.offsetAt(position);
      if (offset !== null) return { filter, offset };
    }
    return null;
  };

  return {
    ...service,
    getSemanticDiagnostics(fileName) {
      const others = service.getSemanticDiagnostics(fileName);
      const file = service.getProgram()?.getSourceFile(fileName);
      const own = problemsIn(filtersIn(fileName));
      return [...others, ...own.map((each) => diagnosticOf(typescript, file, each))];
    },
    getCompletionsAtPosition(fileName, position, options, formatting) {
      const at = filterAt(fileName, position);
      const others = service.getCompletionsAtPosition(fileName, position, options, formatting);
      if (at === null) return others;
      const { filter, offset } = at;
      const { from, to, items } = complete(filter.literal.text, offset, languageOf(filter));
      const entries = items.flatMap(({ label, kind, insert, detail }, index) => {
        const change = filter.literal.change(from, to, insert);
        if (change === null) return [];
        return {
          name: label,
          kind: elementKind(typescript, kind),
          sortText: String(index).padStart(4, '0'),
          insertText: change.text,
          labelDetails: detail === '' ? {} : { description: detail },
          replacementSpan: { start: change.start, length: change.end - change.start },
        };
      });
      if (entries.length === 0) return others;
      return {
        isGlobalCompletion: false,
        isMemberCompletion: false,
        isNewIdentifierLocation: true,
        entries,
      };
    },
    getQuickInfoAtPosition(fileName, position) {
      const at = filterAt(fileName, position);
      if (at === null) return service.getQuickInfoAtPosition(fileName, position);
      const { filter, offset } = at;
      const found = hover(filter.literal.text, offset, schemaOf(filter));
      if (found === null) return undefined;
      const { start, end } = filter.literal.rangeOf(found.span.start, found.span.end);
      return {
        kind: elementKind(typescript, found.kind),
        kindModifiers: '',
        textSpan: { start, length: end - start },
        displayParts: [{ kind: 'text', text: found.text }],
      };
    },
    getCodeFixesAtPosition(fileName, start, end, errorCodes, format, preferences) {
      const others = service.getCodeFixesAtPosition(fileName, start, end, errorCodes, format, preferences);
      if (!errorCodes.includes(diagnosticCode)) return others;
      const own = problemsIn(filtersIn(fileName)).filter((each) => each.start <= end && each.end >= start);
      return [...others, ...own.flatMap((each) => fixesOf(fileName, each))];
    },
  };
}

function diagnosticOf(
  typescript: typeof ts,
  file: ts.SourceFile | undefined,
  { severity, start, end, message }: FilterProblem,
): ts.Diagnostic {
  const { Error: error, Warning: warning } = typescript.DiagnosticCategory;
  return {
    category: severity === 'error' ? error : warning,
    code: diagnosticCode,
    source: 'tamis',
    file,
    start,
    length: end - start,
    messageText: message,
  };
}

function fixesOf(fileName: string, { fixes }: FilterProblem): ts.CodeFixAction[] {
  return fixes.map(({ title, start, end, text }) => ({
    fixName,
    description: title,
    changes: [{ fileName, textChanges: [{ span: { start, length: end - start }, newText: text }] }],
  }));
}

function elementKind(typescript: typeof ts, kind: CompletionKind): ts.ScriptElementKind {
  const { ScriptElementKind: kinds } = typescript;
  switch (kind) {
    case 'field':
    case 'binding':
      return kinds.memberVariableElement;
    case 'operator':
    case 'keyword':
      return kinds.keyword;
    case 'value':
      return kinds.string;
  }
}
