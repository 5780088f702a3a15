import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { startDemo } from './demo.js';

const options = {
  port: { type: 'string', default: '8200' },
  'cloud-port': { type: 'string', default: '8299' },
} as const;

const usage = 'npm run demo -w servers/secrets [-- --port 8200 --cloud-port 8299]; 0 takes any free port';

async function run(): Promise<void> {
  const { values } = parseArgs({ options });
  const [serverPort, cloudPort] = [Number(values.port), Number(values['cloud-port'])];
  if (!isPort(serverPort) || !isPort(cloudPort)) throw new RangeError('a port is a number from 0 to 65535');
  const logger = pino({ base: null, level: 'warn' }, pino.destination(2));
  const demo = await startDemo({ serverPort, cloudPort, logger });
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  print(`# The server is ${demo.server}, its page ${demo.server}/ui/`);
  print(`# A cloud with one machine, vm1, is ${demo.cloud}. Both end with Ctrl-C and keep nothing.`);
  print('# In another shell, one after another:');
  for (const { title, command } of demo.steps) print(`\n# ${title}\n${command}`);
  closeWithGrace({ delay: 2_000, logger: false }, () => demo.close());
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 0 && port <= 65_535;
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exitCode = 1;
});
