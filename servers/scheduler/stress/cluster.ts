// npm run proof:cluster -w servers/scheduler -- --help
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import { buildAgent } from './build-agent.js';
import { clusterHelp, readClusterArguments, type ClusterArguments } from './cluster/cluster-arguments.js';
import { printOutcome } from './cluster/print-outcome.js';
import type { Region } from './cluster/region.js';
import { runCase, type CaseOutcome } from './cluster/run-cases.js';
import { terminalProgress } from './output.js';

/** Plays what is chosen; ends with the number of cases that are not as they should be. */
async function prove({ chosen, extent, json }: ClusterArguments): Promise<number> {
  const progress = terminalProgress(process.stderr);
  const regions: Region[] = [];
  const built = await buildAgent();
  let isBroken = false;
  const breakOff = (): void => {
    isBroken = true;
    void Promise.all(regions.map((region) => region.close()));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, breakOff);
  const outcomes: CaseOutcome[] = [];
  try {
    for (const one of chosen) {
      if (isBroken) break;
      const outcome = await runCase(one, {
        ...{ main: built.main, extent, progress },
        opened: (region) => void regions.push(region),
      });
      progress('');
      outcomes.push(outcome);
      if (!json) process.stdout.write(printOutcome(outcome));
    }
  } finally {
    built.remove();
  }
  if (json) process.stdout.write(`${JSON.stringify(outcomes)}\n`);
  const wrong = outcomes.filter(({ mistakes }) => mistakes.length > 0);
  const [first] = wrong;
  const summary =
    first === undefined ? 'all as it should be' : `wrong: ${wrong.map(({ number }) => number).join(', ')}`;
  process.stderr.write(`${outcomes.length} cases, ${isBroken ? 'broken off, ' : ''}${summary}\n`);
  return wrong.length + (isBroken ? 1 : 0);
}

try {
  const given = readClusterArguments(process.argv.slice(2));
  if (given.help) process.stdout.write(clusterHelp);
  else if (etcdMissing !== undefined) throw new Error(etcdMissing);
  else process.exitCode = (await prove(given)) === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
