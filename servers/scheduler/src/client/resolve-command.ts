import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { DriverError } from './driver.js';

/**
 * Finds the file of a command: a path as it is, below `directory` where it is not absolute, a name in the search path.
 *
 * @throws DriverError where there is none that can be run.
 */
export async function resolveCommand(command: string, searchPath: string, directory = '/'): Promise<string> {
  const places = command.includes('/')
    ? [directory]
    : searchPath.split(delimiter).filter((place) => place !== '');
  let problem = 'there is no such program';
  for (const place of places) {
    const path = resolve(place, command);
    const found = await stat(path).catch(() => null);
    if (found === null || !found.isFile()) continue;
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
    problem = 'it may not be executed';
  }
  throw new DriverError(`Cannot start ${JSON.stringify(command)}: ${problem}`, false);
}
