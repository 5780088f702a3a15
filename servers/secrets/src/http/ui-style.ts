/** The colours of all pages of this repository. A test compares them with `ui/src/look.css`. */
export const colours = `:root {
  color-scheme: light dark;
  --paper: #ffffff;
  --ground: #f4f6f8;
  --ink: #1b1f24;
  --quiet: #5a6470;
  --line: #d5dbe1;
  --accent: #0b6e63;
  --on-accent: #ffffff;
  --match: #e3f3ee;
  --match-mark: #0b8a7c;
  --error: #b3261e;
  --warning: #8a5a00;
  --mono:
    ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d;
    --ground: #0d1013;
    --ink: #e3e8ed;
    --quiet: #9aa6b2;
    --line: #2b333c;
    --accent: #4fc2b2;
    --on-accent: #06211e;
    --match: #12302c;
    --match-mark: #4fc2b2;
    --error: #ff8a80;
    --warning: #f0b45a;
  }
}
`;

/** The style of the page, as a separate file: its policy forbids inline styles. */
export const style = `${colours}* { box-sizing: border-box; }
body { margin: 0; padding: 24px 14px; background: var(--ground); color: var(--ink);
  font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif; }
main { max-width: 640px; margin: 0 auto; }
h1 { font-size: 18px; font-weight: 650; margin: 0 0 12px; }
h2 { font-size: 14px; font-weight: 650; margin: 0 0 6px; }
section { margin: 12px 0; padding: 12px 14px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
p { margin: 0; }
a { color: var(--accent); }
label { display: block; margin: 10px 0 2px; color: var(--quiet); }
input, textarea { width: 100%; padding: 6px 8px; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: 5px; }
textarea, pre { font-family: var(--mono); font-size: 12px; }
button { min-height: 30px; margin-top: 12px; padding: 2px 14px; font: inherit; cursor: pointer; border-radius: 5px;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
button:disabled { background: var(--paper); border-color: var(--line); color: var(--quiet); cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
summary { margin-top: 12px; cursor: pointer; color: var(--quiet); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 12px 0 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.good, .bad { padding: 2px 10px; border-inline-start: 3px solid var(--match-mark); overflow-wrap: anywhere; }
.bad { border-color: var(--error); color: var(--error); }
#result:not(:empty) { margin-top: 12px; }
@media (max-width: 600px) {
  body { padding: 12px 8px; }
}
`;
