/** The style of the page, served separately because the page forbids inline styles. */
export const style = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.5rem; }
dt { opacity: 0.7; }
dd { margin: 0; overflow-wrap: anywhere; }
.well::before { content: "\\2713  "; }
.unwell::before { content: "\\2717  "; }
.unwell { font-weight: bold; }
th { text-align: left; font-weight: normal; padding: 0.15rem 2rem 0.15rem 0; }
td { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 4px; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
`;
