import type { Span } from '../../src/language/diagnostics/span.js';

/** The part of a text that a span covers: tests name it instead of counting offsets. */
export function covered(text: string, span: Span): string {
  return text.slice(span.start, span.end);
}
