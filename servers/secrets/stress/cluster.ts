/**
 * Servers on one etcd under faults: `npm run proof:cluster -w servers/secrets`. `--kills N` (20) and `--clients N` (16) change
 * the extent, `--case TEXT`, which can be repeated, selects cases by a part of their names. Only the clients' observations
 * decide. A figure with an exclamation mark is worse than on an idle machine, but not an error.
 */
import { parseArgs } from 'node:util';
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import { buildServer } from './build-server.js';
import { cases } from './cluster/cases.js';
import { runCase, type CaseOutcome } from './cluster/run-case.js';
import type { CaseFigure } from './cluster/stage.js';
import { terminalProgress, wholeNumber } from '../../http/stress/proof.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    clients: { type: 'string' },
    case: { type: 'string', multiple: true, default: [''] },
  },
});

function describeFigure({ name, value, unit, max }: CaseFigure): string {
  const reported = `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(2)}`;
  const mark = max !== undefined && value > max ? ` ! (at most ${max})` : '';
  return `${name}: ${reported}${unit === '' ? '' : ` ${unit}`}${mark}`;
}

function describeOutcome({ name, seconds, figures, mistakes }: CaseOutcome): string {
  const reported = figures.length === 0 ? '' : `\n      ${figures.map(describeFigure).join('; ')}`;
  const wrong = mistakes.slice(0, 8).map((each) => `\n  !!  ${each}`);
  return `${mistakes.length === 0 ? 'ok ' : 'NOT'} ${name} (${seconds.toFixed(1)} s)${reported}${wrong.join('')}\n`;
}

async function prove(): Promise<void> {
  if (etcdMissing !== undefined) throw new Error(etcdMissing);
  const kills = wholeNumber('kills', values.kills, { standard: 20, max: 100_000 });
  const clients = wholeNumber('clients', values.clients, { standard: 16, max: 1_000 });
  const chosen = cases.filter(({ name }) => values.case.some((text) => name.includes(text)));
  const progress = terminalProgress(process.stderr);
  const built = await buildServer();
  const wrong: string[] = [];
  try {
    for (const one of chosen) {
      const outcome = await runCase(one, { main: built.main, kills, clients, progress });
      progress('');
      process.stdout.write(describeOutcome(outcome));
      if (outcome.mistakes.length > 0) wrong.push(outcome.name);
    }
  } finally {
    built.remove();
  }
  const sum = wrong.length === 0 ? 'all as it should be' : `wrong: ${wrong.join(', ')}`;
  process.stdout.write(`${chosen.length} cases, ${sum}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}

prove().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
