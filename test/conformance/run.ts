/** Runs the conformance vectors of a folder. See `--help`. */
import { installDefaults } from '../../src/entries/node-defaults.js';
import { runConformance } from './command.js';

installDefaults();

// npm starts scripts in the package's folder and sets INIT_CWD to the folder of the caller.
const here = process.cwd();
const outcome = runConformance(process.argv.slice(2), [process.env.INIT_CWD ?? here, here]);
process.stderr.write(outcome.errors);
process.stdout.write(outcome.output);
process.exitCode = outcome.exitCode;
