import type { ConfigEntry, ConfigMistake, ConfigObject, ConfigValue, Position } from '@tamis/config';

// HCL 2 expressions are not evaluated. They are recognised, so that they are not reported as typing mistakes, and all are
// reported at once.

const instead = 'is of HCL 2, which job files do not have: write the value itself';

const reference = /^(?:(?:attr|node|meta|env)\.[\w.-]+|env\["[^"]*"\]|(?:NOMAD|SCHEDULER)_[\w.-]+)$/;

/** Template expressions by prefix; the last entry is for all others. */
const expressions: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^(?:var|local|each|data|path)\.[A-Za-z_]/, 'a variable'],
  [/^[[{]\s*for\b/, 'a for expression'],
  [/^[A-Za-z_][\w:-]*\(/, 'a function'],
  [/^/, 'an expression'],
];

/** In strings. Runtime references of the scheduler are kept, such as `${node.datacenter}` and `${SCHEDULER_PORT_http}`. */
const templates: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\$\{\s*(?:var|local|each|data|path)\.[^}]*\}?/g, 'a variable'],
  [/\$\{\s*(?:for|if)\s[^}]*\}?/g, 'an expression'],
  [/\$\{\s*[A-Za-z_][\w-]*\([^}]*\}?/g, 'a function'],
  [/%\{\s*~?\s*(?:if\s|else\b|endif\b|for\s|endfor\b)[^}]*\}?/g, 'a directive'],
];
const escaped = /\$\$\{|%%\{/;

const variables =
  'variables are of HCL 2, which job files do not have: write their values where they are used';
/** Blocks of HCL 2, and what to do without them. */
const blocks: ReadonlyMap<string, string> = new Map([
  ['variable', variables],
  ['variables', variables],
  ['locals', 'locals are of HCL 2, which job files do not have: write their values where they are used'],
  ['dynamic', 'dynamic blocks are of HCL 2, which job files do not have: write each block out'],
]);

/** Blocks whose keys are free. */
const freeBlocks: ReadonlySet<string> = new Set(['meta', 'env', 'config']);

/** HCL 2 expressions that would have to be evaluated. */
export function findHcl2(root: ConfigObject): readonly ConfigMistake[] {
  const found: ConfigMistake[] = [];
  const defaults = defaultsOf(root);

  function visit(value: ConfigValue, path: string, isFree: boolean): void {
    switch (value.kind) {
      case 'text':
        found.push(...templatesIn(value.value, value.at, path, defaults));
        return;
      case 'expression':
        found.push({ at: value.at, path: '', problem: problemOf(value.text, defaults) });
        return;
      case 'list':
        for (const item of value.items) visit(item, path, isFree);
        return;
      case 'object':
        visitEntries(value.entries, path, isFree);
        return;
      default:
        return;
    }
  }

  function visitEntries(entries: readonly ConfigEntry[], path: string, isFree: boolean): void {
    const reported = new Set<string>();
    for (const { key, at, isLabel, value: inner } of entries) {
      const below = path === '' ? key : `${path}.${key}`;
      const isPlain = isFree || isLabel === true || inner.kind !== 'object';
      const why = isPlain ? undefined : blocks.get(key);
      if (why === undefined) visit(inner, below, isFree || (isLabel !== true && freeBlocks.has(key)));
      else if (!reported.has(key)) {
        reported.add(key);
        const count = entries.filter((one) => one.key === key).length;
        const all = count === 1 ? '' : `, and leave out all ${count} of these blocks`;
        found.push({ at, path: below, problem: `${why}${all}` });
      }
    }
  }

  visit(root, '', false);
  return found;
}

/** What to write instead of an expression. */
function problemOf(text: string, defaults: ReadonlyMap<string, string>): string {
  if (reference.test(text)) return `${text} stands in quotes here: write ${JSON.stringify(`\${${text}}`)}`;
  if (/^[A-Za-z_][\w-]*$/.test(text)) return `text stands in quotes: write ${JSON.stringify(text)}`;
  const what = expressions.find(([pattern]) => pattern.test(text))?.[1] ?? 'an expression';
  return `${what} ${instead}${defaultIn(text, defaults)}`;
}

function templatesIn(
  text: string,
  at: Position,
  path: string,
  defaults: ReadonlyMap<string, string>,
): ConfigMistake[] {
  const escape = escaped.exec(text)?.[0];
  if (escape !== undefined) {
    const problem = `${escape} is an escape of HCL 2: here \${...} is text for the scheduler, which leaves names that it does not know as they are`;
    return [{ at, path, problem }];
  }
  return templates.flatMap(([pattern, what]) => {
    const written = new Set(Array.from(text.matchAll(pattern), ([one]) => one));
    return [...written].map((one) => {
      const problem = `${JSON.stringify(one.slice(0, 60))}: ${what} ${instead}${defaultIn(one, defaults)}`;
      return { at, path, problem };
    });
  });
}

/** The default values of variables and locals, as written. */
function defaultsOf(root: ConfigObject): ReadonlyMap<string, string> {
  const defaults = new Map<string, string>();
  const retain = (name: string, value: ConfigValue): void => {
    if (value.kind === 'text') defaults.set(name, JSON.stringify(value.value.slice(0, 60)));
    if (value.kind === 'number') defaults.set(name, value.text);
    if (value.kind === 'bool') defaults.set(name, String(value.value));
  };
  for (const { key, value } of root.entries) {
    if (value.kind !== 'object' || (key !== 'variable' && key !== 'locals')) continue;
    for (const { key: name, value: inner } of value.entries) {
      if (key === 'locals') retain(`local.${name}`, inner);
      else if (inner.kind === 'object')
        for (const entry of inner.entries) if (entry.key === 'default') retain(`var.${name}`, entry.value);
    }
  }
  return defaults;
}

function defaultIn(written: string, defaults: ReadonlyMap<string, string>): string {
  const name = /^(?:\$\{)?\s*((?:var|local)\.[\w-]+)\s*\}?$/.exec(written)?.[1];
  const value = name === undefined ? undefined : defaults.get(name);
  return value === undefined ? '' : `, which is ${value}`;
}
