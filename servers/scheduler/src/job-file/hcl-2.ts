import {
  ConfigError,
  type ConfigMistake,
  type ConfigObject,
  type ConfigValue,
  type Position,
} from '@tamis/config';

// What HCL 2 adds to HCL 1 would have to be computed. It is recognised, so that nobody takes it for a slip.

const instead = 'is of HCL 2, which job files do not have: write the value itself';

/** What stands where version 1 expects something else. */
const expressions: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^(?:var|local|each|data|path)\.[A-Za-z_]/, 'a variable'],
  [/^for\b/, 'a for expression'],
  [/^[A-Za-z_][\w-]*\(/, 'a function'],
  // A comment or a heredoc that does not end is of version 1, and a slip.
  [/^(?!\/\*|<<)[+*/%?:!<>&|()-]/, 'an expression'],
];

/** Says of a mistake in the syntax whether it is something of HCL 2. */
export function explainSyntax(error: ConfigError, text: string): ConfigError {
  const [mistake] = error.mistakes;
  if (mistake === undefined) return error;
  const rest = text.split('\n')[mistake.at.line - 1]?.slice(mistake.at.column - 1) ?? '';
  const what = expressions.find(([pattern]) => pattern.test(rest))?.[1];
  return what === undefined ? error : new ConfigError([{ ...mistake, problem: `${what} ${instead}` }]);
}

/** In texts. What stays is text for the scheduler, such as `${node.datacenter}` and `${SCHEDULER_PORT_http}`. */
const templates: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\$\{\s*(?:var|local|each|data|path)\.[^}]*\}?/, 'a variable'],
  [/\$\{\s*(?:for|if)\s[^}]*\}?/, 'an expression'],
  [/\$\{\s*[A-Za-z_][\w-]*\([^}]*\}?/, 'a function'],
  [/%\{\s*~?\s*(?:if\s|else\b|endif\b|for\s|endfor\b)[^}]*\}?/, 'a directive'],
];
const escaped = /\$\$\{|%%\{/;

/** Blocks of HCL 2, and what to do without them. */
const blocks: ReadonlyMap<string, string> = new Map([
  ['variable', 'variables are of HCL 2, which job files do not have: write their values where they are used'],
  [
    'variables',
    'variables are of HCL 2, which job files do not have: write their values where they are used',
  ],
  ['locals', 'locals are of HCL 2, which job files do not have: write their values where they are used'],
  ['dynamic', 'dynamic blocks are of HCL 2, which job files do not have: write each block out'],
]);

/** Blocks whose keys are free. */
const freeBlocks: ReadonlySet<string> = new Set(['meta', 'env', 'config']);

/** What is of HCL 2 in a text that version 1 can read. */
export function findHcl2(root: ConfigObject): readonly ConfigMistake[] {
  const found: ConfigMistake[] = [];
  visit(root, '', false, found);
  return found;
}

function visit(value: ConfigValue, path: string, isFree: boolean, found: ConfigMistake[]): void {
  switch (value.kind) {
    case 'text':
      found.push(...templatesIn(value.value, value.at, path));
      return;
    case 'list':
      for (const item of value.items) visit(item, path, isFree, found);
      return;
    case 'object':
      for (const { key, at, value: inner } of value.entries) {
        const below = path === '' ? key : `${path}.${key}`;
        const why = isFree || inner.kind !== 'object' ? undefined : blocks.get(key);
        if (why === undefined) visit(inner, below, isFree || freeBlocks.has(key), found);
        else found.push({ at, path: below, problem: why });
      }
      return;
    default:
      return;
  }
}

function templatesIn(text: string, at: Position, path: string): ConfigMistake[] {
  const escape = escaped.exec(text)?.[0];
  if (escape !== undefined) {
    const problem = `${escape} is an escape of HCL 2: here \${...} is text for the scheduler, which leaves names that it does not know as they are`;
    return [{ at, path, problem }];
  }
  for (const [pattern, what] of templates) {
    const [written] = pattern.exec(text) ?? [];
    if (written !== undefined)
      return [{ at, path, problem: `${JSON.stringify(written.slice(0, 60))}: ${what} ${instead}` }];
  }
  return [];
}
