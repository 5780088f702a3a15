import type { ConfigEntry, ConfigMistake, ConfigObject, ConfigText, ConfigValue } from '@tamis/config';

// HCL 2 expressions are not evaluated. They are detected, so that they are not reported as typing errors, and all are reported at
// once.

/** Advice for template marks. */
export const render = 'belongs to a template: render the file first';

const instead = 'is of HCL 2, which job files do not have: write the value itself';

/** Expressions by content; the last entry covers all others. */
const expressions: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^(?:var|local|each|data|path)\.[\w.-]+$/, 'a variable'],
  [/^[[{]\s*for\b/, 'a for expression'],
  [/^[A-Za-z_][\w:-]*\([^?]*$/, 'a function'],
  [/\?/, 'a conditional'],
  [/^/, 'an expression'],
];

const variables =
  'variables are of HCL 2, which job files do not have: write their values where they are used';
/** Blocks of HCL 2, with advice. */
const blocks: ReadonlyMap<string, string> = new Map([
  ['variable', variables],
  ['variables', variables],
  ['locals', 'locals are of HCL 2, which job files do not have: write their values where they are used'],
  ['dynamic', 'dynamic blocks are of HCL 2, which job files do not have: write each block out'],
]);

/** Blocks with arbitrary keys. */
const freeBlocks: ReadonlySet<string> = new Set(['meta', 'env', 'config']);

/** Returns HCL 2 expressions that would need evaluation. */
export function findHcl2(root: ConfigObject): readonly ConfigMistake[] {
  const found: ConfigMistake[] = [];
  const defaults = defaultsOf(root);

  function visit(value: ConfigValue, path: string, isFree: boolean): void {
    switch (value.kind) {
      case 'text':
        found.push(...computedIn(value, path, defaults));
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

/** Returns what to write instead of an expression. */
function problemOf(text: string, defaults: ReadonlyMap<string, string>): string {
  if (/^[A-Za-z_][\w-]*$/.test(text)) return `text stands in quotes: write ${JSON.stringify(text)}`;
  return `${kindOf(text)} ${instead}${defaultIn(text, defaults)}`;
}

function kindOf(text: string): string {
  return expressions.find(([pattern]) => pattern.test(text))?.[1] ?? 'an expression';
}

/** Returns the distinct interpolations and directives of a string that would need evaluation. */
function computedIn(
  { at, computed = [] }: ConfigText,
  path: string,
  defaults: ReadonlyMap<string, string>,
): ConfigMistake[] {
  return [...new Set(computed)].map((one) => {
    const written = JSON.stringify(one.slice(0, 60));
    if (one.startsWith('%')) return { at, path, problem: `${written}: a directive ${render}` };
    const inner = one.replace(/^\$\{~?\s*|\s*~?\}$/g, '');
    const problem = `${written}: ${kindOf(inner)} ${instead}${defaultIn(one, defaults) || ', or $${ for a ${ that is text'}`;
    return { at, path, problem };
  });
}

/** Returns the default values of variables and locals, as written. */
function defaultsOf(root: ConfigObject): ReadonlyMap<string, string> {
  const defaults = new Map<string, string>();
  const retain = (name: string, value: ConfigValue): void => {
    if (value.kind === 'text' && value.computed === undefined)
      defaults.set(name, JSON.stringify(value.value.slice(0, 60)));
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
