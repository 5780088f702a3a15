/** Runs a file of cases. See `--help`. */
import { runCases } from './command.js';

// npm starts scripts in the package's folder and tells in INIT_CWD where the caller stood.
process.exitCode = await runCases(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd(), {
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
