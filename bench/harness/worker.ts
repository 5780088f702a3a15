import type { Competitor } from '../competitors/competitor.js';
import { loadCompetitor } from '../competitors/competitors.js';
import { createTamis } from '../competitors/tamis.js';
import { loadEngine } from '../engine.js';
import { scenarioOf } from '../scenarios/scenarios.js';
import { casesOf, measureFiltering } from './filtering.js';
import type { Builds, Message, Task } from './task.js';
import { variantOf } from './variant.js';

/*
 * The process in which a task runs. Each variant has one of its own: what the engines have seen on one kind of data
 * stays in their inline caches and would be measured with the next.
 */

process.once('message', (task) => {
  perform(task as Task, (text) => report({ kind: 'progress', text })).then(
    (result) => report({ kind: 'answer', result }),
    (error: unknown) =>
      report({ kind: 'failure', text: error instanceof Error ? (error.stack ?? '') : String(error) }),
  );
});

function report(message: Message): void {
  process.send?.(message, () => {
    if (message.kind !== 'progress') process.disconnect();
  });
}

async function perform(task: Task, onProgress: (text: string) => void): Promise<unknown> {
  switch (task.kind) {
    case 'filtering':
      return filter(task, await loadAll(task.competitors), onProgress);
    case 'comparison':
      return filter(task, await loadBuilds(task.builds, task.run), onProgress);
    case 'scenario':
      return scenarioOf(task.name).run({ ...task, onProgress });
  }
}

function filter(
  { kind, variant, cases, rounds, requests }: Exclude<Task, { readonly kind: 'scenario' }>,
  competitors: readonly Competitor[],
  onProgress: (text: string) => void,
): Promise<unknown> {
  return measureFiltering({
    variant: variantOf(variant),
    cases: casesOf(cases),
    competitors,
    rounds,
    requests,
    // Builds are compared with each other round by round, so none may sit out.
    ...(kind === 'comparison' ? { budgetMs: Infinity } : {}),
    onProgress,
  });
}

async function loadAll(names: readonly string[]): Promise<Competitor[]> {
  const loaded: Competitor[] = [];
  for (const name of names) loaded.push(await loadCompetitor(name));
  return loaded;
}

/** The first to be loaded meets a fresh process, so the builds take turns at being it. */
async function loadBuilds(builds: Builds, run: number): Promise<Competitor[]> {
  const loaded: Competitor[] = [];
  const names = ['base', 'head', 'twin'] as const;
  for (let index = 0; index < names.length; index += 1) {
    // The remainder is below the number of names.
    const name = names[(index + run) % names.length] as keyof Builds;
    loaded.push(createTamis(await loadEngine(builds[name]), name));
  }
  return loaded;
}
