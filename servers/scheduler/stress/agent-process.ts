/** The agent of a stress test in a process of its own. Started by `startAgentProcess`, which talks to it. */
import {
  startMeasuredAgent,
  type JobStretch,
  type MeasuredAgent,
  type MeasuredOptions,
  type WritePace,
} from './measured-agent.js';

/** A call of a method of the agent. */
export interface AgentCall {
  readonly id: number;
  readonly method: Exclude<keyof MeasuredAgent, 'origin'>;
  readonly argument: 'jobs' | 'namespaces' | JobStretch | WritePace | null;
}

export interface AgentReply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

const [jobs = '', maxWaiters = '', options = ''] = process.argv.slice(2);
const agent = await startMeasuredAgent(
  Number(jobs),
  Number(maxWaiters),
  JSON.parse(options) as MeasuredOptions,
);

function call({ method, argument }: AgentCall): Promise<unknown> {
  switch (method) {
    case 'write':
      return agent.write(argument as 'jobs' | 'namespaces');
    case 'writeJobs':
      return agent.writeJobs(argument as JobStretch);
    case 'writeSteadily':
      return agent.writeSteadily(argument as WritePace);
    default:
      return agent[method]();
  }
}

function reply(message: AgentReply): void {
  process.send?.(message);
}

process.on('message', (message: AgentCall) => {
  const { id, method } = message;
  call(message).then(
    (result) => {
      reply({ id, result });
      if (method === 'close') process.disconnect();
    },
    (error: unknown) => reply({ id, error: String(error) }),
  );
});
// When the parent process is gone, this process must end itself.
process.on('disconnect', () => process.exit(0));
reply({ id: 0, result: agent.origin });
