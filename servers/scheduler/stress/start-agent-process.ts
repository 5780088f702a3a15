import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AgentCall, AgentReply } from './agent-process.js';
import type { MeasuredAgent, MeasuredOptions } from './measured-agent.js';

/** Megabytes for the heap of an agent with a million jobs and their versions, twice over. */
const heapLimit = 8_192;

/** Starts an agent with this many jobs in a process of its own, so that clients take none of its time. */
export async function startAgentProcess(
  jobs: number,
  maxWaiters: number,
  options: MeasuredOptions = {},
): Promise<MeasuredAgent> {
  const child = fork(
    fileURLToPath(new URL('agent-process.ts', import.meta.url)),
    [String(jobs), String(maxWaiters), JSON.stringify(options)],
    {
      execArgv: ['--import', 'tsx', '--expose-gc', `--max-old-space-size=${heapLimit}`],
      cwd: fileURLToPath(new URL('..', import.meta.url)),
    },
  );
  const open = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;

  function expect(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => open.set(id, { resolve, reject }));
  }

  function call(method: AgentCall['method'], argument: AgentCall['argument'] = null): Promise<unknown> {
    calls += 1;
    const response = expect(calls);
    child.send({ id: calls, method, argument } satisfies AgentCall);
    return response;
  }

  child.on('message', ({ id, result, error }: AgentReply) => {
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  });
  child.on('exit', (code) => {
    for (const { reject } of open.values()) reject(new Error(`The agent ended with ${String(code)}`));
  });
  const origin = (await expect(0)) as string;
  return {
    origin,
    observe: () => call('observe') as Promise<void>,
    report: () => call('report') as ReturnType<MeasuredAgent['report']>,
    baseline: () => call('baseline') as ReturnType<MeasuredAgent['baseline']>,
    memory: () => call('memory') as ReturnType<MeasuredAgent['memory']>,
    waiting: () => call('waiting') as Promise<number>,
    write: (table) => call('write', table) as Promise<number>,
    writeJobs: (stretch) => call('writeJobs', stretch) as Promise<number>,
    writeSteadily: (pace) => call('writeSteadily', pace) as Promise<number>,
    close: () => call('close') as Promise<void>,
  };
}
