import type { AgentConfig } from '../agent-config.js';
import { noRows, restoreCluster, type ClusterRows } from '../cluster/cluster-rows.js';
import { readImport } from '../cluster/import.js';
import type { Intern } from '../model/intern.js';
import { sampleCluster } from '../sample/sample-cluster.js';
import { openState, type State } from '../state/state.js';
import type { AgentDependencies } from './dependencies.js';

/** Opens the state on its storage, and fills one that is new. @throws ImportError, StorageError */
export async function openFilledState(
  config: AgentConfig,
  dependencies: AgentDependencies,
  intern: Intern,
): Promise<State> {
  const { clock, storage } = dependencies;
  const state = await openState({ storage, clock });
  const rows = await readFill(config, dependencies, intern);
  // A store that has been used before keeps what it has.
  if (state.snapshot().index === 0) {
    await state.write((transaction) => restoreCluster(transaction, rows, intern));
  }
  return state;
}

async function readFill(
  { fill }: AgentConfig,
  { readLines }: AgentDependencies,
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
