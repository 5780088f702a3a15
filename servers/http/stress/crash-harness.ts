import { setTimeout as pause } from 'node:timers/promises';
import { quantile, type Metric } from './proof.js';

/** A server in a process that can be killed. */
export interface KilledServer {
  /** Resolves with its address when it listens, and with null when it ended before. */
  readonly listening: Promise<string | null>;
  /** Its output, if it did not start. */
  errors(): string;
  /** Ends it as the loss of power would: it can do nothing about it. */
  kill(): Promise<void>;
}

/** The counts and findings so far. */
export interface CrashTally {
  acknowledged: number;
  /** Unacknowledged writes that are present. */
  unacknowledged: number;
  readonly rates: number[];
  readonly starts: number[];
  readonly mistakes: string[];
}

/** A store that is written to while its server is killed. */
export interface CrashTarget<Client> {
  readonly start: () => KilledServer;
  readonly connect: (address: string) => Client;
  readonly disconnect: (client: Client) => void;
  /** Checks that all acknowledged writes are present, and nothing else except the pending write of each writer. */
  readonly compare: (client: Client, tally: CrashTally) => Promise<void>;
  /** One write of one writer. False or an error if it was not acknowledged: then this writer stops. */
  readonly write: (client: Client, writer: number, tally: CrashTally) => Promise<boolean>;
}

export interface CrashOptions {
  readonly kills: number;
  /** Clients that write at the same time. */
  readonly writers: number;
  /** Maximum lifetime of a server after its first client, and during its start, in ms. */
  readonly maxLifeMs: number;
  readonly maxStartMs: number;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly progress: (line: string) => void;
}

/** One kill in so many comes before the server listens. */
const startShare = 6;

/**
 * Kills a server repeatedly while clients write to it, and checks its contents after each restart; ends at the first error.
 */
export async function killAgainAndAgain<Client>(
  target: CrashTarget<Client>,
  options: CrashOptions,
): Promise<CrashTally> {
  const { kills, random, progress } = options;
  const tally: CrashTally = { acknowledged: 0, unacknowledged: 0, rates: [], starts: [], mistakes: [] };
  for (let kill = 1; kill <= kills + 1 && tally.mistakes.length === 0; kill += 1) {
    const server = target.start();
    if (kill <= kills && kill % startShare === 0) await pause(random() * options.maxStartMs);
    else await live(server, target, tally, kill <= kills ? options : null);
    await server.kill();
    progress(
      `${Math.min(kill, kills)} of ${kills} kills, ${tally.acknowledged} writes acknowledged, none lost`,
    );
  }
  progress('');
  return tally;
}

/** One life of a server: its contents are checked, then clients write until it is killed; null to only check. */
async function live<Client>(
  server: KilledServer,
  target: CrashTarget<Client>,
  tally: CrashTally,
  writing: Pick<CrashOptions, 'writers' | 'maxLifeMs' | 'random'> | null,
): Promise<void> {
  const began = performance.now();
  const address = await server.listening;
  if (address === null) {
    tally.mistakes.push(`the server does not start: ${server.errors()}`);
    return;
  }
  tally.starts.push(performance.now() - began);
  const client = target.connect(address);
  await target.compare(client, tally);
  if (writing !== null) {
    const since = performance.now();
    const before = tally.acknowledged;
    const life = { isDone: false };
    let notifyFirst = (): void => undefined;
    const first = new Promise<void>((resolve) => (notifyFirst = resolve));
    const write = async (writer: number): Promise<void> => {
      while (!life.isDone && (await target.write(client, writer, tally).catch(() => false))) notifyFirst();
    };
    const writers = Array.from({ length: writing.writers }, (_, writer) => write(writer));
    // However slow the machine is, there is something to lose.
    await Promise.race([first, Promise.all(writers)]);
    await pause(writing.random() * writing.maxLifeMs);
    const killed = server.kill();
    tally.rates.push(((tally.acknowledged - before) * 1_000) / (performance.now() - since));
    await killed;
    life.isDone = true;
    await Promise.all(writers);
  }
  target.disconnect(client);
}

export function crashFigures(kills: number, tally: CrashTally): readonly Metric[] {
  return [
    { name: 'kills', value: kills, unit: '' },
    { name: 'writes acknowledged', value: tally.acknowledged, unit: '' },
    { name: 'lost, changed or out of order', value: tally.mistakes.length, unit: '' },
    { name: 'unacknowledged writes that happened', value: tally.unacknowledged, unit: '' },
    { name: 'writes a second', value: quantile(tally.rates, 0.5), unit: '/s' },
    { name: 'start, median', value: quantile(tally.starts, 0.5), unit: 'ms' },
    { name: 'start, longest', value: Math.max(...tally.starts), unit: 'ms' },
  ];
}
