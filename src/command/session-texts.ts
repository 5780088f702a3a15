import { readFieldPath } from '../language/syntax/field-path.js';
import { escapeControls } from '../language/diagnostics/snippet.js';
import type { FieldCatalog } from '../entries/editor.js';
import { toJSON } from './columns.js';
import { indentJson } from './input/json-layout.js';
import { number } from './numbers.js';
import type { Palette } from './palette.js';

const everything = { depth: Infinity, entries: Infinity };

/** Returns the help of the session: examples of filters, then one line for each command. */
export function helpText(commands: readonly { readonly usage: string; readonly help: string }[]): string {
  const own = [
    ...commands.map(({ usage, help }) => [usage, help] as const),
    ['.exit', 'leave; also Ctrl-D'] as const,
  ];
  const lines = own.map(([usage, help]) => `  ${usage.padEnd(28)}${help}`);
  return `Each line is a filter; the matching rows are shown. Tab completes names, operators and values.
An unfinished filter continues on the next line; an empty line ends it.

  Status == "running" and Priority != 50
  Priority >= 50 and Status in ["pending", "dead"]
  "dc1" in Datacenters or Name starts with "web-" or Name like "*-db-?"
  Name == "WEB"i or len(Tags) > 3 or ModifyIndex > @CreateIndex
  Name matches "^web-[0-9]+$"
  not (Meta.owner is empty)
  any TaskGroups as g { g.Count == 0 }

${lines.join('\n')}
`;
}

/** Describes the fields at a dot-separated path, with their kinds and most frequent values. */
export function describeFields(argument: string, catalog: FieldCatalog, palette: Palette): string {
  const path = argument === '' ? [] : readFieldPath(argument);
  const fields = catalog.children(path);
  if (fields.length === 0)
    return `${palette.error('error:')} there are no fields in ${JSON.stringify(argument)}\n`;
  const width = Math.min(30, Math.max(...fields.map(({ name }) => name.length)));
  return fields
    .map(({ name, kind }) => {
      const samples = catalog
        .values([...path, name])
        .slice(0, 3)
        .map((text) => escapeControls(text));
      return (
        `  ${escapeControls(name).padEnd(width)}  ${kind.padEnd(8)}${palette.faint(`  ${samples.join(', ')}`)}`.trimEnd() +
        '\n'
      );
    })
    .join('');
}

/** Shows one of the matches in full, by its number from 1; the first for an empty argument. */
export function renderRow(argument: string, matches: readonly object[]): string {
  const at = argument === '' ? 1 : Number(argument);
  const row = Number.isInteger(at) ? matches[at - 1] : undefined;
  if (row === undefined)
    return matches.length === 1
      ? 'there is one match: .show takes 1\n'
      : `there are ${number.format(matches.length)} matches: .show N takes 1 to ${matches.length}\n`;
  return `${sanitizeLines(indentJson(Buffer.from(toJSON(row, everything))).toString())}\n`;
}

function sanitizeLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}
