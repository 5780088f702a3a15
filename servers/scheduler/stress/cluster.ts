// npm run proof:cluster -w servers/scheduler -- --help
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import { buildAgent } from './build-agent.js';
import { clusterHelp, readClusterArguments, type ClusterArguments } from './cluster/cluster-arguments.js';
import { printOutcome } from './cluster/print-outcome.js';
import { runCase, type CaseOutcome } from './cluster/run-cases.js';
import { terminalProgress } from '../../http/stress/proof.js';

/** The exit code of a program that a signal has ended early. */
const brokenOff = 130;

/** Runs the selected cases; resolves with whether all passed. */
async function prove({ chosen, extent, json }: ClusterArguments): Promise<boolean> {
  const progress = terminalProgress(process.stderr);
  const built = await buildAgent();
  const cleanup = new Set<() => Promise<unknown>>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      const cleaned = [...cleanup].map((clean) => clean());
      void Promise.allSettled(cleaned).then(() => {
        built.remove();
        process.exit(brokenOff);
      });
    });
  }
  const outcomes: CaseOutcome[] = [];
  try {
    for (const one of chosen) {
      const outcome = await runCase(one, { main: built.main, extent, progress, cleanup });
      progress('');
      outcomes.push(outcome);
      if (!json) process.stdout.write(printOutcome(outcome));
    }
  } finally {
    built.remove();
  }
  if (json) process.stdout.write(`${JSON.stringify(outcomes)}\n`);
  const wrong = outcomes.filter(({ mistakes }) => mistakes.length > 0);
  const summary =
    wrong.length === 0 ? 'all as it should be' : `wrong: ${wrong.map(({ number }) => number).join(', ')}`;
  process.stderr.write(`${outcomes.length} cases, ${summary}\n`);
  return wrong.length === 0;
}

try {
  const given = readClusterArguments(process.argv.slice(2));
  if (given.help) process.stdout.write(clusterHelp);
  else if (etcdMissing !== undefined) throw new Error(etcdMissing);
  else process.exitCode = (await prove(given)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
