export { complete, type CompleteOptions, type Completions } from '../tools/editor/complete.js';
export type { CompletionItem, CompletionKind } from '../tools/editor/item.js';
export { hover, type HoverOptions, type Hover } from '../tools/editor/hover.js';
export {
  diagnostics,
  format,
  type DiagnosticsOptions,
  type Formatted,
  type Problem,
} from '../tools/editor/problem.js';
export type { DataPath } from '../tools/editor/scope-at.js';
export { createFieldCatalog, type FieldCatalog, type FieldInfo } from '../tools/editor/field-catalog.js';
