import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of the machine that a test needs. */
export interface Tool {
  readonly isMissing: boolean;
  /** For the title of the test: empty, or why it is skipped and what to install. */
  readonly why: string;
}

/** Looks for a program on the PATH, without running it. */
export function findTool(command: string, debianPackage = command): Tool {
  const isMissing = !(process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => isExecutable(join(folder, command)));
  const why = isMissing
    ? ` (skipped: there is no ${command} on this machine; Debian has it in the package ${debianPackage})`
    : '';
  return { isMissing, why };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
