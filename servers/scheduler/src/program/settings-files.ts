import { createReadStream, readdirSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultConfigLimits } from '@tamis/config';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import type { SettingsFile } from '../agent/settings/read-settings.js';
import type { SecretFiles } from '../agent/settings/secret-variables.js';

export const secretFiles: SecretFiles = {
  read: (path) => readFile(path),
  modeOf: async (path) => (await stat(path)).mode,
};

/** Reads configuration files. A directory means its .hcl and .json files, sorted by name. */
export async function readSettingsFiles(paths: readonly string[]): Promise<readonly SettingsFile[]> {
  const names = paths.flatMap((path) => (statSync(path).isDirectory() ? settingsFilesIn(path) : [path]));
  return Promise.all(names.map(async (name) => ({ name, text: await readStart(name) })));
}

/** Without this error, an agent whose configured path has no settings would start with the defaults. */
function settingsFilesIn(directory: string): readonly string[] {
  const names = readdirSync(directory).filter((name) => /\.(?:hcl|json)$/.test(name));
  if (names.length === 0) throw new CommandError(`There is no .hcl or .json file in ${directory}`);
  return names.sort().map((name) => join(directory, name));
}

/** Reads at most slightly more than the maximum size of a file, because a device never ends. */
async function readStart(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  const max = 4 * defaultConfigLimits.maxLength;
  for await (const chunk of createReadStream(path, { end: max })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
