import { suggest } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import { isLevelOne, levelOneLabel, type LevelOneKind } from '../../language/hints/level-one.js';
import type { Relaxation, RelaxationKind } from '../../language/syntax/dialect.js';
import { textAt, type LintContext } from './lint-context.js';

/** How go-bexpr treats each feature, and the source that both dialects parse alike; null if none exists. */
const advice: Readonly<
  Record<
    Exclude<RelaxationKind, LevelOneKind>,
    { readonly label: string; readonly title: string; portable(text: string): string | null }
  >
> = {
  'missing-whitespace': {
    label: 'go-bexpr needs a space here',
    title: 'insert a blank',
    portable: () => ' ',
  },
  'extra-whitespace': {
    label: 'go-bexpr allows no space here',
    title: 'remove the blank',
    portable: () => '',
  },
  'bare-collection': {
    label: 'go-bexpr needs parentheses around this',
    title: 'put it in parentheses',
    portable: (text) => `(${text})`,
  },
  'escaped-quote': {
    label: 'go-bexpr ends the string at this quote',
    title: 'write \\x22',
    portable: () => '\\x22',
  },
  'abandoned-reading': {
    label: 'go-bexpr expects a field after this',
    title: '',
    portable: () => null,
  },
  'quoted-pointer-value': {
    label: 'go-bexpr reads this as a path and drops the first slash',
    title: 'write it in backticks',
    portable: (text) => `\`${text.slice(1, -1)}\``,
  },
};

/** Reports each use of a feature that only the standard dialect has. */
export function checkRelaxation(
  { kind, span }: Relaxation,
  context: Pick<LintContext, 'source' | 'report'>,
): void {
  if (isLevelOne(kind)) return reportLevelOne(kind, span, context);
  const { label, title, portable } = advice[kind];
  const replacement = portable(textAt(context, span));
  context.report({
    code: 'not-portable',
    message: `${kind.replaceAll('-', ' ')}: ${label}`,
    span,
    label,
    suggestions: replacement === null ? [] : [suggest(span, replacement, title)],
  });
}

function reportLevelOne(kind: LevelOneKind, span: Span, { report }: Pick<LintContext, 'report'>): void {
  const label = levelOneLabel(kind);
  report({
    code: 'not-portable',
    message: `${kind.replaceAll('-', ' ')}: ${label}`,
    span,
    label,
  });
}
