import type { Metric, Progress } from '../../../http/stress/proof.js';
import { findViolations } from './linearizability.js';
import type { Region, RegionNeeds } from './region.js';
import { createWorkload, type Workload, type WorkloadOptions } from './workload.js';

/** A figure and its bound. */
export interface RequestedFigure extends Metric {
  readonly max?: number;
  readonly min?: number;
}

/** How much is done. */
export interface Extent {
  /** Kills of each kind of fault. */
  readonly kills: number;
  /** Operations of each history. */
  readonly operations: number;
  /** Reads that are checked for stale results. */
  readonly reads: number;
  /** Rows that a server loads when it starts. */
  readonly rows: number;
  /** Milliseconds for which each rate is measured. */
  readonly rateTime: number;
  /** Milliseconds for which a server is frozen. */
  readonly freezeTime: number;
}

/** The context of a case: opens regions, records figures and errors. */
export interface Stage {
  readonly extent: Extent;
  /** The built agent. */
  readonly main: string;
  /** A folder for files of the case. */
  readonly folder: string;
  readonly progress: Progress;
  /** One more region; it is closed after the case. */
  open(needs: RegionNeeds): Promise<Region>;
  /** Does something after the case, however it ends. */
  atEnd(clean: () => Promise<unknown>): void;
  check(isSo: boolean, mistake: string): void;
  figure(figure: RequestedFigure): void;
}

/** A case of the proof. */
export interface ClusterCase {
  readonly number: number;
  readonly name: string;
  /** The region that it is played on. */
  readonly needs: RegionNeeds | ((extent: Extent) => RegionNeeds);
  play(stage: Stage, region: Region): Promise<void>;
  /** The token that can read everything, if servers require one. */
  readonly token?: () => string;
}

const defaultLoad = { clients: 8, jobs: 16, reads: 0.2, staleReads: 0.2 } as const;

/** Runs a scenario while clients read and write, then checks that their results are consistent and nothing is lost. */
export async function underLoad(
  stage: Stage,
  region: Region,
  play: (load: Workload) => Promise<void>,
  options: Partial<WorkloadOptions> = {},
): Promise<Workload> {
  const load = createWorkload({ servers: region.live, ...defaultLoad, ...options });
  load.start();
  try {
    await play(load);
  } finally {
    await load.stop();
  }
  await load.readAll(region.live());
  for (const violation of findViolations(load.history)) stage.check(false, violation);
  stage.figure({ name: 'operations', value: load.history.length, unit: '' });
  stage.figure({ name: 'writes acknowledged, and there', value: load.acknowledged, unit: '' });
  for (const [problem, times] of load.problems) {
    stage.figure({ name: `refused: ${problem.slice(0, problemLength)}`, value: times, unit: 'times' });
  }
  return load;
}

const problemLength = 90;
