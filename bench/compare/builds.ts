import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Builds } from '../harness/task.js';
import { UsageError } from '../options.js';

/** The builds of two revisions, outside the checkout. */
export interface RevisionBuilds {
  readonly builds: Builds;
  /** What is compared, for people. */
  readonly title: string;
  readonly dispose: () => void;
}

/**
 * Builds two revisions in a temporary folder, the first one twice, so that it can be compared with itself. They share
 * the packages that are installed here: a revision that needs others cannot be compared.
 *
 * @param root the checkout
 * @param head null for the files as they are
 * @throws UsageError for a revision that does not exist.
 */
export function buildRevisions(
  root: string,
  [base, head]: readonly [string, string | null],
  onProgress: (text: string) => void,
): RevisionBuilds {
  const baseCommit = commitOf(root, base);
  const headCommit = head === null ? null : commitOf(root, head);
  // Resolved, because the temporary folder may be a link and git remembers worktrees by their real paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tamis-bench-')));
  const worktrees: string[] = [];
  const dispose = (): void => {
    for (const worktree of worktrees) git(root, 'worktree', 'remove', '--force', worktree);
    rmSync(folder, { recursive: true, force: true });
  };
  const checkOut = (name: string, commit: string): string => {
    const worktree = join(folder, name);
    git(root, 'worktree', 'add', '--detach', '--quiet', worktree, commit);
    worktrees.push(worktree);
    symlinkSync(join(root, 'node_modules'), join(worktree, 'node_modules'), 'dir');
    return worktree;
  };
  try {
    onProgress(`building ${base}`);
    const baseFiles = build(checkOut('base-source', baseCommit), root, folder, 'base');
    onProgress(`building ${head ?? 'the files as they are'}`);
    const headFiles = build(
      headCommit === null ? root : checkOut('head-source', headCommit),
      root,
      folder,
      'head',
    );
    const twinFiles = place(folder, 'twin', root);
    cpSync(baseFiles, twinFiles, { recursive: true });
    const title = `${base} (${baseCommit.slice(0, 9)}) and ${head === null ? 'the files as they are' : `${head} (${headCommit?.slice(0, 9)})`}`;
    return {
      builds: { base: urlOf(baseFiles), twin: urlOf(twinFiles), head: urlOf(headFiles) },
      title,
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** A folder in which a build finds the packages that it imports. */
function place(folder: string, name: string, root: string): string {
  const home = join(folder, name);
  mkdirSync(home);
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'), 'dir');
  return join(home, 'dist');
}

/** The configuration of the sources, but without types, which take longest and are not measured. */
const builder = `
  import { build } from 'tsup';
  await build({ outDir: process.argv[1], dts: false, silent: true });
`;

function build(sources: string, root: string, folder: string, name: string): string {
  const target = place(folder, name, root);
  execFileSync(process.execPath, ['--input-type=module', '--eval', builder, target], {
    cwd: sources,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return target;
}

function urlOf(files: string): string {
  return pathToFileURL(join(files, 'index.js')).href;
}

function commitOf(root: string, revision: string): string {
  try {
    return git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch {
    throw new UsageError(`--compare: git knows no revision ${JSON.stringify(revision)}`);
  }
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}
