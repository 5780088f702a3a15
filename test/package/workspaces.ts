import { posix } from 'node:path';
import { readFacts } from './imports.js';

/** An import of one workspace from a file of another one. */
export interface WorkspaceImport {
  /** The file, such as `scheduler-node/src/driver.ts`. */
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The imports between workspaces, by package name (`@tamis/http/body.js`) or by relative path (`../../http/src/body.js`).
 * `sources` maps paths that start with the folder of a workspace to their text.
 */
export function workspaceImports(sources: ReadonlyMap<string, string>): readonly WorkspaceImport[] {
  return [...sources].flatMap(([file, text]) => {
    const from = workspaceOf(file);
    return readFacts(file, text)
      .imports.map((each) => ({ file, ...each, from, to: targetOf(file, each.specifier) }))
      .filter((each): each is WorkspaceImport => each.to !== null && each.to !== from);
  });
}

/** Returns a line for each import that `allowed` (workspace to the ones it may import) does not list. */
export function forbiddenImports(
  imports: readonly WorkspaceImport[],
  allowed: Readonly<Record<string, readonly string[]>>,
): string[] {
  return imports
    .filter(({ from, to }) => allowed[from]?.includes(to) !== true)
    .map(
      ({ file, line, specifier, from, to }) =>
        `${file}:${String(line)}: ${specifier}: ${from} must not import ${to}`,
    );
}

function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return workspaceOf(posix.join(posix.dirname(file), specifier));
  return /^@tamis\/([\w-]+)/.exec(specifier)?.[1] ?? null;
}

function workspaceOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}
