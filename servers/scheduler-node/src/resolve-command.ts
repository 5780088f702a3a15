import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { DriverError } from './driver.js';

/**
 * Finds the file of a command. A path is relative to `directory` unless absolute; a name is looked up in the search path.
 *
 * @throws DriverError if there is no executable file.
 */
export async function resolveCommand(command: string, searchPath: string, directory = '/'): Promise<string> {
  const places = command.includes('/')
    ? [directory]
    : searchPath.split(delimiter).filter((place) => place !== '');
  let problem = 'there is no such program';
  for (const place of places) {
    const path = resolve(place, command);
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    if (found.isFile() && (await mayExecute(path))) return path;
    problem = found.isFile() ? 'it may not be executed' : `it is a ${kindOf(found)}`;
  }
  throw new DriverError(`Cannot start ${JSON.stringify(command)}: ${problem}`, false);
}

function mayExecute(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Returns the type of a non-regular file. */
function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'directory';
  if (found.isFIFO()) return 'pipe';
  return found.isSocket() ? 'socket' : 'device';
}
