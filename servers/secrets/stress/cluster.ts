/**
 * Servers on one etcd under faults: `npm run proof:cluster -w servers/secrets`. `--kills N` (20) and `--clients N` (16) change the
 * extent, `--case TEXT` takes the cases whose names hold it. Nothing but what the clients have seen decides.
 */
import { parseArgs } from 'node:util';
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import { buildServer } from './build-server.js';
import { cases, runCase, type CaseOutcome } from './cluster/cases.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    clients: { type: 'string', default: '16' },
    case: { type: 'string', default: '' },
  },
});

function describeOutcome({ name, operations, gaps, p99, mistakes }: CaseOutcome): string {
  const sorted = gaps.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const figures = `${operations} operations, answered again after ${Math.round(median)} ms (median), ${Math.round(Math.max(...gaps))} ms (most) of ${gaps.length}; p99 ${Math.round(p99)} ms`;
  const wrong = mistakes.slice(0, 8).map((each) => `\n     ${each}`);
  return `${mistakes.length === 0 ? 'ok ' : 'NOT'} ${name}: ${figures}${wrong.join('')}\n`;
}

async function prove(): Promise<void> {
  if (etcdMissing !== undefined) throw new Error(etcdMissing);
  const [kills, clients] = [Number(values.kills), Number(values.clients)];
  if (!(kills > 0) || !(clients > 0)) throw new Error('--kills and --clients are numbers above 0');
  const built = await buildServer();
  const progress = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  };
  try {
    for (const one of cases.filter(({ name }) => name.includes(values.case))) {
      const outcome = await runCase(one, { main: built.main, kills, clients, progress });
      progress('');
      process.stdout.write(describeOutcome(outcome));
      if (outcome.mistakes.length > 0) process.exitCode = 1;
    }
  } finally {
    built.remove();
  }
}

prove().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
