import { runProof } from '../../http/stress/proof.js';
import { stressScans } from './scan-stress.js';
import { startAgentProcess } from './start-agent-process.js';

await runProof({
  about: 'Shows what lists cost over many rows. Ends with code 1 if a response is wrong.',
  numbers: {
    rows: { standard: 1_000_000, min: 1_000, help: 'of the longer list; the other one has a tenth' },
  },
  run: ({ numbers: { rows }, progress }) =>
    stressScans({
      sizes: [...new Set([Math.max(1_000, Math.round(rows / 10)), rows])],
      repeats: 20,
      scanners: 4,
      rounds: 10,
      loadTime: 3_000,
      start: (jobs) => startAgentProcess(jobs, 100),
      progress,
    }),
});
