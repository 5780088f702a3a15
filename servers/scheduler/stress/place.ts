import { runProof } from '../../http/stress/proof.js';
import { stressPlacement } from './place-stress.js';

await runProof({
  about: `Shows how fast jobs are placed. Ends with code 1 where a node has been promised twice, a count is wrong, or a worker
has waited while there was work.`,
  numbers: {
    jobs: { standard: 1_000, help: 'to be placed' },
    nodes: { standard: 500, help: 'to place them on, of which one in twenty fails' },
    workers: { standard: 2, help: 'that place them' },
  },
  run: ({ numbers, progress }) =>
    stressPlacement({ ...numbers, failing: Math.ceil(numbers.nodes / 20), progress }),
});
