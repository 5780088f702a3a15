import { runProof } from '../../http/stress/proof.js';
import { startAgentProcess } from './start-agent-process.js';
import { stressWatches } from './watches-stress.js';

await runProof({
  about: `Shows what clients that watch results cost. Client and agent each need as many file descriptors: see ulimit -n. Ends
with code 1 where somebody is woken who is not concerned, or somebody who is concerned is not.`,
  numbers: {
    count: { standard: 10_000, help: 'clients that watch' },
    filters: { standard: 1_000, help: 'that they watch the results of' },
    writes: { standard: 1_000, help: 'meanwhile' },
  },
  run: ({ numbers, progress }) => stressWatches({ ...numbers, start: startAgentProcess, progress }),
});
