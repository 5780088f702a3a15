import { runProof } from '../../http/stress/proof.js';
import { startAgentProcess } from './start-agent-process.js';
import { stressWaiters } from './waiters-stress.js';

await runProof({
  about: `Shows what waiting clients cost. Client and agent each need as many file descriptors: see ulimit -n. Ends with code 1
if a response is wrong.`,
  numbers: {
    count: { standard: 10_000, help: 'clients that wait' },
    jobs: { standard: 10_000, help: 'in the list that they wait for' },
  },
  run: ({ numbers, progress }) => stressWaiters({ ...numbers, start: startAgentProcess, progress }),
});
