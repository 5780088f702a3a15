import type { AgentConfig } from './settings/agent-config.js';
import { noRows, restoreCluster, type ClusterRows } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { readImport } from '@tamis/scheduler-state/cluster/import.js';
import type { LeaderTask } from '@tamis/scheduler-state/cluster/leader-tasks.js';
import { exportedResources } from '@tamis/scheduler-model/resources.js';
import { countItems } from '@tamis/scheduler-state/progress/count-items.js';
import { createImportLog } from '@tamis/scheduler-state/progress/progress-log.js';
import { sampleCluster } from './sample/sample-cluster.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import type { AgentDependencies } from './agent-dependencies.js';

type FillDependencies = Pick<AgentDependencies, 'readLines' | 'clock' | 'logs' | 'collectGarbage'>;

/** Creates a leader task that writes the initial rows of a new state. @throws ImportError from `start` */
export function createStateFill(
  config: AgentConfig,
  dependencies: FillDependencies,
  { state }: { readonly state: Pick<State, 'write'> },
): LeaderTask {
  let isDone = false;
  return {
    async start() {
      if (isDone) return;
      await fill();
      if (config.fill.kind === 'import') await dependencies.collectGarbage?.();
    },
    stop: () => undefined,
  };

  async function fill(): Promise<void> {
    // An invalid file is reported even if it is no longer needed.
    const rows = await readFill(config, dependencies);
    const isFilled = await write(rows);
    // If another server leads by now and the import was not stored, the next leader retries.
    isDone = true;
    if (config.fill.kind === 'import') logImport(config.fill.file, rows, isFilled, dependencies);
  }

  async function write(rows: ClusterRows): Promise<boolean> {
    try {
      return await state.write((transaction) => {
        // A state that has been used before is left unchanged.
        if (transaction.index !== 1) return false;
        restoreCluster(transaction, rows);
        return true;
      });
    } catch (error) {
      if (config.fill.kind === 'import') {
        dependencies.logs
          .part('import')
          .warn(
            { file: config.fill.file },
            'not imported yet: the next leader starts again, and has more time with a longer lease',
          );
      }
      throw error;
    }
  }
}

function logImport(
  file: string,
  rows: ClusterRows,
  isFilled: boolean,
  { logs }: Pick<FillDependencies, 'logs'>,
): void {
  const log = logs.part('import');
  const counts = exportedResources.map(({ table }) => [table, rows[table].length] as const);
  if (isFilled)
    log.info({ file, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) }, 'imported');
  else log.info({ file }, 'not imported: there is a cluster already');
}

async function readFill(
  { fill }: AgentConfig,
  { readLines, clock: { now }, logs }: FillDependencies,
): Promise<ClusterRows> {
  switch (fill.kind) {
    case 'nothing':
      return noRows();
    case 'sample':
      return sampleCluster(now(), fill.size);
    case 'import': {
      const { file } = fill;
      const { lines, done } = readLines(file);
      const listener = createImportLog(file, { now, log: logs.part('import'), done });
      return readImport(countItems(lines, listener), file);
    }
  }
}
