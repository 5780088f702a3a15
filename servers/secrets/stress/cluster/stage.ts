import type { StressResponse } from '../client.js';
import { quantile, type Progress } from '../../../http/stress/proof.js';
import { findViolations } from './history.js';
import type { Region, RegionNeeds } from './region.js';
import { startWorkload, type Workload } from './workload.js';

/** A figure of a case. */
export interface CaseFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Its maximum on an idle machine. */
  readonly max?: number;
}

/** How much is done. */
export interface Extent {
  /** How often the active server is killed. */
  readonly kills: number;
  /** Clients that work meanwhile. */
  readonly clients: number;
}

/** The context of a case: starts regions, records figures and errors. */
export interface Stage extends Extent {
  /** The built server. */
  readonly main: string;
  /** A folder for files of the case. */
  readonly folder: string;
  readonly progress: Progress;
  /** A region, which is closed after the case. */
  open(needs?: RegionNeeds): Promise<Region>;
  /** Does something after the case, however it ends. */
  atEnd(clean: () => Promise<unknown>): void;
  check(isSo: boolean, mistake: string): void;
  /** Checks the status of a response. */
  expect(response: StressResponse, status: number, what: string): void;
  figure(figure: CaseFigure): void;
}

/** A case of the proof. */
export interface ClusterCase {
  readonly name: string;
  play(stage: Stage): Promise<void>;
}

/** Running clients, and the gaps in their responses. */
export interface Load extends Workload {
  /** Runs an action; resolves with the milliseconds until a request sent after it is acknowledged. */
  gap(fault: () => Promise<void>): Promise<number>;
}

/** Runs a scenario while clients read and write, then checks that their results are consistent and nothing is lost. */
export async function underLoad(
  stage: Stage,
  region: Region,
  play: (load: Load) => Promise<void>,
): Promise<void> {
  const workload = startWorkload(region, stage.clients);
  const gap = async (fault: () => Promise<void>): Promise<number> => {
    const started = performance.now();
    await fault();
    await workload.responded();
    return workload.maxSilenceMs(started);
  };
  try {
    await workload.reach(200);
    await play({ ...workload, gap });
    await region.whole();
  } finally {
    await workload.stop();
  }
  await workload.readAll();
  for (const violation of findViolations(workload.history)) stage.check(false, violation);
  const times = workload.history
    .filter((each) => each.kind === 'read' || each.outcome === 'done')
    .map(({ startedAt: started, ended }) => ended - started);
  stage.figure({ name: 'operations', value: workload.history.length, unit: '' });
  stage.figure({ name: 'p99', value: quantile(times, 0.99), unit: 'ms' });
}

/** Notes the gaps that faults of one kind have caused. */
export function noteGaps(stage: Stage, name: string, gaps: readonly number[], max: number): void {
  if (gaps.length > 1) {
    stage.figure({ name: 'faults', value: gaps.length, unit: '' });
    stage.figure({ name: `${name}, half of them`, value: quantile(gaps, 0.5), unit: 'ms' });
  }
  stage.figure({ name: `${name}, longest`, value: Math.max(...gaps), unit: 'ms', max });
}
