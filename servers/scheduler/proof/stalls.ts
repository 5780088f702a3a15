/**
 * Finds what holds up an agent: `npm run proof:stalls -w servers/scheduler`. Starts one as an operator does, watches its
 * event loop from inside, and runs a table of hostile requests against it. `--minutes 10` runs them again and again for
 * that long and tells how somebody else gets on.
 */
import { mkdtempSync, rmSync, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createIntern } from '../src/model/intern.js';
import { writeJson } from '@tamis/http';
import { buildAgent } from './build-agent.js';
import { largeCluster } from './large-cluster.js';
import { terminalProgress } from './output.js';
import { startProbedAgent } from './probed-agent.js';
import { findStalls, runMixedLoad, type Stall } from './stalls-proof.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});
const rows = Number(values.rows);
const nameWidth = 36;
const titles = `${[' '.repeat(nameWidth), ' stall', '  gc', ' other', ' mostMB', ' MB', ' took'].map((title, at) => (at === 0 ? title : title.padStart(7))).join('')}\n`;

const directory = mkdtempSync(join(tmpdir(), 'stalls-'));
const file = join(directory, 'cluster.ndjson');
await writeCluster(file, rows);
const built = await buildAgent();
const agent = await startProbedAgent(built.main, [
  ...['--dev', '--log-level', 'warn', '--import', file, '--max-connections-per-client', '0'],
]);
try {
  const progress = terminalProgress(process.stderr);
  const found = (stall: Stall): void => {
    process.stdout.write(values.json ? `${JSON.stringify(stall)}\n` : printStall(stall));
  };
  const minutes = Number(values.minutes);
  if (minutes > 0) {
    const mixed = await runMixedLoad({ agent, rows, only: values.only, progress }, minutes);
    process.stdout.write(`${JSON.stringify(mixed, null, 2)}\n`);
  } else if (!values.json) process.stdout.write(titles);
  if (minutes === 0) await findStalls({ agent, rows, only: values.only, progress, found });
} finally {
  await agent.close();
  built.remove();
  rmSync(directory, { recursive: true, force: true });
}

async function writeCluster(path: string, count: number): Promise<void> {
  const out = createWriteStream(path);
  for (const object of largeCluster(count, createIntern()).jobs) {
    if (!out.write(`${writeJson({ kind: 'job', object })}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

function printStall({ name, answer, longest, longestGc, newcomer, mostRss, rss, took }: Stall): string {
  const figures = [longest, longestGc, newcomer, mostRss, rss, took];
  const columns = figures.map((figure) => figure.toFixed(0).padStart(7)).join('');
  return `${name.padEnd(nameWidth)}${columns}  ${answer}\n`;
}
