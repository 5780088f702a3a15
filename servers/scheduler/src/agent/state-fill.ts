import type { AgentConfig } from '../agent-config.js';
import { noRows, restoreCluster, type ClusterRows } from '../cluster/cluster-rows.js';
import { readImport } from '../cluster/import.js';
import type { LeaderTask } from '../cluster/leader-tasks.js';
import type { Intern } from '../model/intern.js';
import { sampleCluster } from '../sample/sample-cluster.js';
import type { State } from '../state/state.js';
import type { AgentDependencies } from './agent-dependencies.js';

/** The rows that a new state begins with, written by its leader. @throws ImportError by `start` */
export function createStateFill(
  config: AgentConfig,
  dependencies: Pick<AgentDependencies, 'readLines'>,
  { state, intern }: { readonly state: State; readonly intern: Intern },
): LeaderTask {
  let isRead = false;
  return {
    async start() {
      if (isRead) return;
      // A file that cannot be used is told of, also where it is not needed any more.
      const rows = await readFill(config, dependencies, intern);
      isRead = true;
      await state.write((transaction) => {
        // A state that has been used before keeps what it has.
        if (transaction.index === 1) restoreCluster(transaction, rows, intern);
      });
    },
    stop: () => undefined,
  };
}

async function readFill(
  { fill }: AgentConfig,
  { readLines }: Pick<AgentDependencies, 'readLines'>,
  intern: Intern,
): Promise<ClusterRows> {
  switch (fill.kind) {
    case 'nothing':
      return noRows();
    case 'sample':
      return sampleCluster(intern);
    case 'import':
      return readImport(readLines(fill.file), fill.file, intern);
  }
}
