import { spawn } from 'node:child_process';

/**
 * @typedef {object} Outcome
 * @property {number} code the exit code; 128 + n for a signal, as a shell says it
 * @property {string} output what it printed; empty when it printed straight to the terminal
 */

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, echo?: boolean, env?: Record<string, string> }} options `show` lets the child print to the terminal
 * @returns {Promise<Outcome>}
 */
export function run(command, args, { cwd, echo = false, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: echo ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && command === 'npm',
    });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    // A terminal sends Ctrl-C to the child as well; SIGTERM comes to us alone.
    const passOn = () => {
      child.once('close', () => process.kill(process.pid, 'SIGTERM'));
      child.kill('SIGTERM');
    };
    process.once('SIGTERM', passOn);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.removeListener('SIGTERM', passOn);
      resolve({ code: code ?? signalCode(signal), output });
    });
  });
}

/**
 * Runs npm: the one that runs us when there is one, so that `npm test` needs no npm on the PATH.
 *
 * @param {readonly string[]} args
 * @param {{ cwd: string, echo?: boolean, env?: Record<string, string> }} options
 */
export function runNpm(args, options) {
  const cli = process.env['npm_execpath'];
  return cli !== undefined && /npm-cli\.[cm]?js$/.test(cli)
    ? run(process.execPath, [cli, ...args], options)
    : run('npm', args, options);
}

/**
 * @param {readonly string[]} args a script and its arguments
 * @param {{ cwd: string, echo?: boolean, env?: Record<string, string> }} options
 */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}

/** @param {NodeJS.Signals | null} signal */
function signalCode(signal) {
  return signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1;
}
