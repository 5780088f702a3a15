import { buildProgram, type BuiltProgram } from '../../http/stress/build-program.js';
import manifest from '../package.json' with { type: 'json' };

/** The server as one file. */
export type BuiltServer = BuiltProgram;

export function buildServer(): Promise<BuiltServer> {
  return buildProgram({
    folder: new URL('../', import.meta.url),
    external: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    noExternal: [/^@tamis\//],
  });
}
