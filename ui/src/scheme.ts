/** The colours in light and in dark mode, by the name of their CSS variable without `--filter-`. */
const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  paper: ['#ffffff', '#14181d'],
  ink: ['#1b1f24', '#e3e8ed'],
  quiet: ['#5a6470', '#9aa6b2'],
  line: ['#c4ccd4', '#3a444f'],
  accent: ['#0b6e63', '#4fc2b2'],
  raised: ['#f2f5f7', '#1d232a'],
  error: ['#b3261e', '#ff8a80'],
  warning: ['#8a5a00', '#f0b45a'],
  keyword: ['#7a3aa8', '#c79bea'],
  operator: ['#5a6470', '#9aa6b2'],
  name: ['#0b5cad', '#7db7f2'],
  binding: ['#8a4b00', '#e2a86a'],
  text: ['#0b6e45', '#7fd0a0'],
  number: ['#a0410d', '#f2a37c'],
  bracket: ['#5a6470', '#9aa6b2'],
};

/** Returns a rule that sets the CSS variables. They follow the `color-scheme` of the page. */
export function schemeRules(selector: string): string {
  const variables = Object.entries(colours).map(
    ([name, [light, dark]]) => `--filter-${name}: light-dark(${light}, ${dark});`,
  );
  return `${selector} { ${variables.join(' ')} }`;
}

/** Returns the style sheet of the shadow root. */
export function hostSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${schemeRules(':host')}
:host { display: block; }
:host([hidden]), [hidden] { display: none !important; }
.saved { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 6px; }
.saved-item { display: inline-flex; max-width: 100%; }
.saved button { font: 13px/22px system-ui, sans-serif; padding: 1px 9px; border: 1px solid var(--filter-line); border-radius: 6px;
  background: var(--filter-paper); color: var(--filter-ink); cursor: pointer; }
.saved .saved-name { border-radius: 6px 0 0 6px; border-right: 0; overflow-wrap: anywhere; text-align: start; }
.saved .saved-remove { border-radius: 0 6px 6px 0; color: var(--filter-quiet); }
.saved button:hover:enabled { border-color: var(--filter-quiet); background: var(--filter-raised); }
.saved button:disabled { color: var(--filter-quiet); cursor: default; }
.saved button:focus-visible { outline: 2px solid var(--filter-accent); outline-offset: 1px; }`);
  return sheet;
}
