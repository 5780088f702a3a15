import { setTimeout as pause } from 'node:timers/promises';
import { jobIdAt } from './large-cluster.js';
import type { MeasuredAgent } from './measured-agent.js';
import type { Metric, Progress } from '../../http/stress/proof.js';
import { median } from './request.js';
import { startWaiting, type WaitingClient } from './waiting-client.js';

export interface WatchesOptions {
  /** Clients, and the different filters that they have in turn. */
  readonly count: number;
  readonly filters: number;
  /** Writes that affect no client. */
  readonly writes: number;
  readonly start: (jobs: number, maxWaiters: number) => Promise<MeasuredAgent>;
  readonly progress: Progress;
}

export interface WatchesResult {
  readonly figures: readonly Metric[];
  /** Violated requirements, which must hold on any machine. */
  readonly mistakes: readonly string[];
}

/** Filters that each match the one job at their index. */
const filterForms: readonly ((id: string) => string)[] = [
  (id) => `ID == "${id}"`,
  (id) => `Name == "${id}" and Status != "dead"`,
  (id) => `Priority >= 40 and ID starts with "${id}"`,
  (id) => `Status in ["running", "pending"] and (Name == "${id}" or ID == "${id}")`,
];

function pathOf(at: number, index: number): string {
  const form = filterForms[at % filterForms.length] ?? String;
  const filter = encodeURIComponent(form(jobIdAt(at)));
  return `/v1/jobs?watch=result&wait=10m&index=${index}&filter=${filter}`;
}

/** Related writes after each other, for figures of more than one. */
const relatedWrites = 20;

/** Lets clients watch results, then writes jobs that affect none of them, then jobs that affect a few. */
export async function stressWatches(options: WatchesOptions): Promise<WatchesResult> {
  const { count, filters, writes, start, progress } = options;
  progress(`an agent with ${filters + writes} jobs`);
  const agent = await start(filters + writes, count + 10);
  const proof = new Proof(agent, options);
  try {
    // The first run is slower.
    await agent.writeJobs({ from: filters, count: writes });
    await proof.writeUnrelated('nobody watches');
    await proof.connect();
    await proof.writeUnrelated(`${count} watch with ${filters} filters`);
    await proof.writeRelated();
  } finally {
    proof.disconnect();
    await agent.close();
  }
  progress('');
  return proof;
}

class Proof implements WatchesResult {
  readonly figures: Metric[] = [];
  readonly mistakes: string[] = [];
  readonly #agent: MeasuredAgent;
  readonly #options: WatchesOptions;
  #clients: readonly WaitingClient[] = [];

  constructor(agent: MeasuredAgent, options: WatchesOptions) {
    this.#agent = agent;
    this.#options = options;
  }

  #note(name: string, value: number, unit: string): void {
    this.figures.push({ name, value, unit });
  }

  #require(claim: string, verify: boolean): void {
    if (!verify) this.mistakes.push(claim);
  }

  async connect(): Promise<void> {
    const { count, filters, progress } = this.#options;
    progress(`${count} clients, connecting`);
    const before = await this.#agent.memory();
    const index = await this.#agent.write('jobs');
    const paths = Array.from({ length: count }, (_, at) => pathOf(at % filters, index));
    this.#clients = await startWaiting(this.#agent.origin, paths);
    while ((await this.#agent.waiting()) < count) await pause(20);
    const after = await this.#agent.memory();
    this.#note('heap for each who watches', (after.heapUsed - before.heapUsed) / count / 1_024, 'KiB');
  }

  disconnect(): void {
    for (const client of this.#clients) client.close();
  }

  async writeUnrelated(name: string): Promise<void> {
    const { filters, writes, progress } = this.#options;
    progress(`${writes} writes, ${name}`);
    await this.#agent.observe();
    await this.#agent.writeJobs({ from: filters, count: writes });
    await pause(300);
    const { cpu, max } = await this.#agent.report();
    this.#note(`${name}: processor for an unrelated write`, (cpu / writes) * 1_000, 'µs');
    this.#note(`${name}: longest delay of the event loop`, max, 'ms');
    const woken = this.#clients.filter((each) => each.hasResponse()).length;
    this.#note(`${name}: woken by ${writes} unrelated writes`, woken, 'clients');
    this.#require('no unrelated write wakes anybody', woken === 0);
    this.#require('all still wait', (await this.#agent.waiting()) === this.#clients.length);
  }

  /** Writes the jobs of some filters, one by one: only clients with that filter get a response. */
  async writeRelated(): Promise<void> {
    const { count, filters, progress } = this.#options;
    const delays: number[] = [];
    const written = Math.min(relatedWrites, filters);
    for (let at = 0; at < written; at += 1) {
      progress(`related write ${at + 1} of ${written}`);
      const concerned = this.#clients.filter((_, client) => client % filters === at);
      const begin = performance.now();
      await this.#agent.writeJobs({ from: at, count: 1 });
      const times = await Promise.all(concerned.map(({ responded: served }) => served));
      delays.push(...times.map((time) => time - begin));
    }
    const sorted = delays.toSorted((a, b) => a - b);
    this.#note('one related write: median response', median(sorted), 'ms');
    this.#note('one related write: response, p99', sorted[Math.floor(sorted.length * 0.99)] ?? NaN, 'ms');
    const served = this.#clients.filter((each) => each.hasResponse()).length;
    this.#note(`${written} related writes: woken`, served, 'clients');
    this.#require('a related write wakes those whom it concerns, once', served === delays.length);
    this.#require('and nobody else', (await this.#agent.waiting()) === count - delays.length);
  }
}
