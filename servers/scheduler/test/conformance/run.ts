/** Runs a file of cases. See `--help`. */
import { runCases } from './command.js';

// npm starts scripts in the package's folder and sets INIT_CWD to the folder of the caller.
process.exitCode = await runCases(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd(), {
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
