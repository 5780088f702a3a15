import { runProof } from '../../http/stress/proof.js';
import { startAgentProcess } from './start-agent-process.js';
import { stressStreams } from './streams-stress.js';

await runProof({
  about: `Shows what event streams cost. Client and agent each need as many file descriptors: see ulimit -n. Ends with code 1
where a stream is told of too little or too much.`,
  numbers: {
    count: { standard: 1_000, min: 20, help: 'streams' },
    rate: { standard: 500, help: 'writes a second' },
    seconds: { standard: 10, help: 'for which they are written' },
  },
  run: ({ numbers, progress }) => stressStreams({ ...numbers, start: startAgentProcess, progress }),
});
