import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The programs that say which commit they were built from: what is built goes by content, so the build itself cannot know. */
const folders = ['servers/scheduler', 'servers/secrets'];

/**
 * The commit that is checked out: twelve hexadecimal digits, and `-dirty` where files differ from it.
 *
 * @param {string} root
 * @returns {string} empty where the folder is no checkout, or there is no git
 */
export function commitOf(root) {
  // Not the commit of a repository in which this one's sources happen to lie.
  if (!existsSync(join(root, '.git'))) return '';
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/**
 * Writes the commit next to each built program.
 *
 * @param {string} root
 */
export function leaveCommits(root) {
  const built = folders.map((folder) => join(root, folder, 'dist')).filter(existsSync);
  const commit = built.length === 0 ? '' : commitOf(root);
  for (const dist of built) {
    const file = join(dist, 'commit.txt');
    if (commit === '' || (existsSync(file) && readFileSync(file, 'utf8') === `${commit}\n`)) continue;
    // A program that starts meanwhile reads the old file or the new one.
    writeFileSync(`${file}.${process.pid}`, `${commit}\n`);
    renameSync(`${file}.${process.pid}`, file);
  }
}
