import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import engineManifest from '../../../package.json' with { type: 'json' };
import { buildProgram, type BuiltProgram } from '../../http/stress/build-program.js';
import manifest from '../package.json' with { type: 'json' };

/** The agent as one file. */
export type BuiltAgent = BuiltProgram;

const engine = fileURLToPath(new URL('../../../src/', import.meta.url));
/** The subpaths of the engine, such as `lint`, and the one that only its sources have. */
const subpaths = Object.keys(engineManifest.exports)
  .filter((subpath) => /^\.\/[a-z-]+$/.test(subpath))
  .map((subpath) => subpath.slice('./'.length))
  .concat('node-defaults');

/** The agent, with the engine as it is in its sources. */
export function buildAgent(): Promise<BuiltAgent> {
  const parts = subpaths.map((name) => [`tamis/${name}`, join(engine, 'entries', `${name}.ts`)]);
  return buildProgram({
    folder: new URL('../', import.meta.url),
    external: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    noExternal: [/^@tamis\//, 'chevrotain', 'tamis'],
    alias: { ...Object.fromEntries(parts), tamis: join(engine, 'index.ts') },
  });
}
