import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startKillableAgent, type KillableAgent, type KillableAgentOptions } from '../killable-agent.js';
import { send, type Addressed } from './client.js';

/** The use of a process since it was started. */
export interface Usage {
  /** Milliseconds of a processor. */
  readonly cpu: number;
  /** Bytes that it holds now. */
  readonly memory: number;
  /** Peak memory in bytes. */
  readonly peakMemory: number;
}

/** A server in a process of its own, which can be started again at the same addresses. */
export interface ServerProcess extends Addressed {
  readonly rpcPort: number;
  /** Whether it was started, and neither killed, stopped nor frozen since. */
  readonly isServing: boolean;
  /** Resolves when it listens. @throws Error with its output if it ends before. */
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  freeze(): void;
  thaw(): void;
  usage(): Usage;
  /** Its standard error output since the start. */
  errors(): string;
}

export interface ServerProcessOptions extends KillableAgentOptions {
  readonly ports: { readonly http: number; readonly rpc: number };
  readonly main: string;
  readonly name: string;
  readonly flags: readonly string[];
}

/** Polling interval for the response of a server, in ms. */
const lookInterval = 20;

export function createServerProcess({
  main,
  name,
  flags,
  ports,
  ...options
}: ServerProcessOptions): ServerProcess {
  let agent: KillableAgent | null = null;
  let isServing = false;
  const addressed = { name, address: `http://127.0.0.1:${ports.http}` };
  return {
    ...addressed,
    rpcPort: ports.rpc,
    get isServing() {
      return isServing;
    },
    async start() {
      agent = startKillableAgent(main, ['--name', name, ...flags], { ...options, ports });
      if ((await agent.listening) === null) throw new Error(`${name} did not start: ${agent.errors()}`);
      while (!(await isResponding(addressed))) await pause(lookInterval);
      isServing = true;
    },
    async kill() {
      isServing = false;
      await agent?.kill();
    },
    async stop() {
      isServing = false;
      await agent?.stop();
    },
    freeze() {
      isServing = false;
      agent?.freeze();
    },
    thaw() {
      agent?.thaw();
      isServing = true;
    },
    usage: () => readUsage(agent?.pid ?? 0),
    errors: () => agent?.errors() ?? '',
  };
}

async function isResponding(server: Addressed): Promise<boolean> {
  return send(server, '/v1/agent/health?stale').then(
    () => true,
    () => false,
  );
}

const millisecondsPerTick = 10;
const bytesPerKibibyte = 1_024;

/** Reads process information of the system; see proc(5). */
function readUsage(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name of the program is in brackets, and may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const bytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * bytesPerKibibyte;
  return {
    cpu: (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick,
    memory: bytes('VmRSS'),
    peakMemory: bytes('VmHWM'),
  };
}
