export { complete, type CompleteOptions, type Completions } from './complete.js';
export type { CompletionItem, CompletionKind } from './item.js';
export { hover, type HoverOptions, type Hover } from './hover.js';
export { diagnostics, format, type DiagnosticsOptions, type Formatted, type Problem } from './problem.js';
export type { DataPath } from './scope-at.js';
export { createFieldCatalog, type FieldCatalog, type FieldInfo } from './field-catalog.js';
