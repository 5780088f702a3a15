/**
 * Finds what stalls an agent: `npm run proof:stalls -w servers/scheduler`. Starts one as an operator does, watches its
 * event loop from inside, and runs a table of hostile requests against it. `--minutes 10` runs them repeatedly for that long and
 * reports the effect on an independent client.
 */
import { mkdtempSync, rmSync, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeJson } from '@tamis/http';
import { buildAgent } from './build-agent.js';
import { largeCluster } from './large-cluster.js';
import { terminalProgress } from '../../http/stress/proof.js';
import { startProbedAgent } from './probed-agent.js';
import { readStallsArguments, stallsHelp, type StallsArguments } from './stalls-arguments.js';
import { findStalls, runMixedLoad, type Stall } from './stalls-stress.js';

const nameWidth = 36;
const titles = `${[' '.repeat(nameWidth), ' work', ' stall', '  gc', ' other', ' mostMB', ' MB', ' took'].map((title, at) => (at === 0 ? title : title.padStart(7))).join('')}\n`;

try {
  const settings = readStallsArguments(process.argv.slice(2));
  if (settings.help) process.stdout.write(stallsHelp);
  else await run(settings);
} catch (error) {
  if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function run({ rows, chosen, minutes, json }: StallsArguments): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'stalls-'));
  const file = join(directory, 'cluster.ndjson');
  await writeCluster(file, rows);
  const built = await buildAgent();
  const agent = await startProbedAgent(built.main, [
    ...['--dev', '--log-level', 'warn', '--import', file, '--max-connections-per-client', '0'],
  ]);
  const progress = terminalProgress(process.stderr);
  const found = (stall: Stall): void => {
    process.stdout.write(json ? `${JSON.stringify(stall)}\n` : printStall(stall));
  };
  try {
    if (minutes > 0) {
      const mixed = await runMixedLoad({ agent, rows, chosen, progress }, minutes);
      process.stdout.write(`${JSON.stringify(mixed, null, 2)}\n`);
    } else {
      if (!json) process.stdout.write(titles);
      await findStalls({ agent, rows, chosen, progress, found });
    }
  } finally {
    await agent.close();
    built.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function writeCluster(path: string, count: number): Promise<void> {
  const out = createWriteStream(path);
  for (const object of largeCluster(count).jobs) {
    if (!out.write(`${writeJson({ kind: 'job', object })}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

function printStall({
  name,
  result: response,
  work,
  maxMs,
  maxGcMs,
  newcomer,
  peakRss,
  rss,
  took,
}: Stall): string {
  const figures = [work, maxMs, maxGcMs, newcomer, peakRss, rss, took];
  const columns = figures.map((figure) => figure.toFixed(0).padStart(7)).join('');
  return `${name.padEnd(nameWidth)}${columns}  ${response}\n`;
}
