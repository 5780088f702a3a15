import { EditorView } from '@codemirror/view';

const light = {
  '--filter-paper': '#ffffff',
  '--filter-ink': '#1b1f24',
  '--filter-quiet': '#5a6470',
  '--filter-line': '#c4ccd4',
  '--filter-accent': '#0b6e63',
  '--filter-raised': '#f2f5f7',
  '--filter-error': '#b3261e',
  '--filter-warning': '#8a5a00',
  '--filter-keyword': '#7a3aa8',
  '--filter-operator': '#5a6470',
  '--filter-name': '#0b5cad',
  '--filter-binding': '#8a4b00',
  '--filter-text': '#0b6e45',
  '--filter-number': '#a0410d',
  '--filter-bracket': '#5a6470',
};

const dark: typeof light = {
  '--filter-paper': '#14181d',
  '--filter-ink': '#e3e8ed',
  '--filter-quiet': '#9aa6b2',
  '--filter-line': '#3a444f',
  '--filter-accent': '#4fc2b2',
  '--filter-raised': '#1d232a',
  '--filter-error': '#ff8a80',
  '--filter-warning': '#f0b45a',
  '--filter-keyword': '#c79bea',
  '--filter-operator': '#9aa6b2',
  '--filter-name': '#7db7f2',
  '--filter-binding': '#e2a86a',
  '--filter-text': '#7fd0a0',
  '--filter-number': '#f2a37c',
  '--filter-bracket': '#9aa6b2',
};

const mono =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** The styles of the box. The page can override the variables of `:host`. */
export const filterTheme = EditorView.theme({
  '&': {
    color: 'var(--filter-ink)',
    backgroundColor: 'var(--filter-paper)',
    border: '1px solid var(--filter-line)',
    borderRadius: '6px',
    fontSize: '15px',
  },
  '&.cm-focused': { outline: '2px solid var(--filter-accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: mono, lineHeight: '1.55', maxHeight: '40vh', overflow: 'auto' },
  '.cm-content': { padding: '9px 0', caretColor: 'var(--filter-ink)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-cursor': { borderLeftColor: 'var(--filter-ink)' },
  '.cm-placeholder': { color: 'var(--filter-quiet)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--filter-accent)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', color: 'var(--filter-error)' },
  '.cm-filter-shown': {
    backgroundColor: 'color-mix(in srgb, var(--filter-accent) 22%, transparent)',
    borderRadius: '2px',
  },
  '.cm-panels': { backgroundColor: 'transparent', color: 'inherit' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--filter-line)' },
  '.filter-problems': {
    padding: '4px 12px',
    fontFamily: 'system-ui, sans-serif',
    fontSize: '13px',
    lineHeight: '22px',
  },
  '.filter-problem': {
    margin: '3px 0',
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '8px',
    rowGap: '4px',
    alignItems: 'baseline',
  },
  '.filter-severity': { fontWeight: '600' },
  '.filter-error .filter-severity': { color: 'var(--filter-error)' },
  '.filter-warning .filter-severity': { color: 'var(--filter-warning)' },
  '.filter-message': { overflowWrap: 'anywhere' },
  '.filter-keys': {
    margin: '3px 0',
    color: 'var(--filter-quiet)',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.filter-hint, .filter-more': { color: 'var(--filter-quiet)', overflowWrap: 'anywhere' },
  '.filter-more': { margin: '3px 0' },
  '.filter-fix, .cm-diagnosticAction': {
    font: 'inherit',
    color: 'var(--filter-paper)',
    backgroundColor: 'var(--filter-accent)',
    border: '0',
    borderRadius: '4px',
    padding: '0 9px',
    cursor: 'pointer',
    maxWidth: '100%',
    overflowWrap: 'anywhere',
    textAlign: 'start',
  },
  '.filter-fix:focus-visible': { outline: '2px solid var(--filter-ink)', outlineOffset: '1px' },
  '.cm-tooltip': {
    backgroundColor: 'var(--filter-raised)',
    color: 'var(--filter-ink)',
    border: '1px solid var(--filter-line)',
    borderRadius: '6px',
    boxShadow: '0 4px 16px rgb(0 0 0 / 18%)',
    overflow: 'hidden',
    maxWidth: 'min(560px, 92vw)',
  },
  '.filter-note': { padding: '4px 9px', fontSize: '13px', overflowWrap: 'anywhere' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: mono,
    fontSize: '13px',
    maxHeight: '16em',
    maxWidth: '92vw',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 9px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--filter-accent)',
    color: 'var(--filter-paper)',
  },
  '.cm-completionDetail': {
    fontStyle: 'normal',
    fontFamily: 'system-ui, sans-serif',
    color: 'var(--filter-quiet)',
    marginLeft: '1em',
  },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  // Text decorations, because a strict policy blocks the images of the base theme.
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    paddingBottom: '0',
    textDecoration: 'underline wavy 1px var(--filter-error)',
    textUnderlineOffset: '4px',
    textDecorationSkipInk: 'none',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--filter-warning)' },
  '.cm-diagnostic': { padding: '5px 10px', borderLeftWidth: '3px', whiteSpace: 'pre-wrap' },
  '.cm-diagnosticText': { fontSize: '13px' },
  '.cm-diagnosticAction': { margin: '4px 6px 0 0' },
});

/** Returns the variables for light and dark mode, for a separate root. */
export function schemeSheet(): CSSStyleSheet {
  const rules = (variables: Readonly<Record<string, string>>): string =>
    Object.entries(variables)
      .map(([name, value]) => `${name}: ${value};`)
      .join(' ');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:host { display: block; ${rules(light)} }\n@media (prefers-color-scheme: dark) { :host { ${rules(dark)} } }`,
  );
  return sheet;
}
