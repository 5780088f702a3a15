import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { context, type BuildContext } from 'esbuild';
import type { Case, Suite } from '../../../conformance/src/data.mjs';
import type { Change } from './propose.js';
import { failed, type TestQueries, type SuiteJob } from './suite-job.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What became of cases with a change of the engine. */
export interface SuiteRun {
  /** Those that failed, in their order. */
  readonly failed: readonly Case[];
  /** Whether the engine could not be loaded, or did not come back from the last case that failed. */
  readonly end: 'done' | 'unloadable' | 'hung';
}

/** The text of a file of the engine. */
export function readSource(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Whether the text of a change is in its file, once. */
export function fits({ file, find }: Change): boolean {
  const source = readSource(file);
  return source.includes(find) && source.indexOf(find) === source.lastIndexOf(find);
}

/** Runs cases on copies of the engine, one after the other. */
export class SuiteRunner {
  readonly #schemas: Suite['schemas'];
  readonly #place: string;
  readonly #bundle: string;
  #bundler: BuildContext | null = null;
  #change: Change | null = null;

  /** @param position a folder of its own */
  constructor(schemas: Suite['schemas'], position: string) {
    this.#schemas = schemas;
    this.#place = position;
    this.#bundle = join(position, 'suite.mjs');
  }

  /**
   * Puts cases to a copy of the engine with a change, or without one, in a thread of its own.
   *
   * @param timeoutMs milliseconds without a result after which the engine counts as hanging
   */
  async run(change: Change | null, cases: readonly Case[], timeoutMs = 60_000): Promise<SuiteRun> {
    this.#change = change;
    this.#bundler ??= await this.#createBundler();
    await this.#bundler.rebuild();
    const queries = join(this.#place, 'questions.json');
    writeFileSync(queries, JSON.stringify({ schemas: this.#schemas, cases } satisfies TestQueries));
    const state = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const verdicts = new Uint8Array(new SharedArrayBuffer(cases.length));
    await runWorker(this.#bundle, { queries, state, verdicts }, timeoutMs);
    const reached = Atomics.load(state, 0);
    if (reached < 0) return { failed: [], end: 'unloadable' };
    const isDone = reached === cases.length;
    const found = cases.filter((_, index) => verdicts[index] === failed || (!isDone && index === reached));
    return { failed: found, end: isDone ? 'done' : 'hung' };
  }

  async close(): Promise<void> {
    await this.#bundler?.dispose();
  }

  async #createBundler(): Promise<BuildContext> {
    return context({
      entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
      outfile: this.#bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      plugins: [
        {
          name: 'change',
          setup: ({ onLoad }) => {
            onLoad({ filter: /\.ts$/ }, ({ path }) => {
              const change = this.#change;
              if (change === null || path !== join(root, change.file)) return undefined;
              const contents = readSource(change.file).replace(change.find, () => change.replace);
              return { contents, loader: 'ts' };
            });
          },
        },
      ],
    });
  }
}

/** Lets a worker do its job, and terminates it if it makes no progress. Its errors name its position. */
async function runWorker(bundle: string, job: SuiteJob, timeoutMs: number): Promise<void> {
  const worker = new Worker(bundle, {
    workerData: job,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
  });
  let seen = -1;
  let since = performance.now();
  const watch = setInterval(() => {
    const at = Atomics.load(job.state, 0);
    if (at !== seen) [seen, since] = [at, performance.now()];
    else if (performance.now() - since > timeoutMs) void worker.terminate();
  }, 200);
  worker.on('error', () => undefined);
  await new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  clearInterval(watch);
}
