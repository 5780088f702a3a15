import { runProof } from '../../http/stress/proof.js';
import { stressColumns } from './columns-stress.js';
import { startAgentProcess } from './start-agent-process.js';

await runProof({
  about:
    'Shows what columns of a table do for lists, counts, pages and writes: two agents are queried in turn,\n' +
    'one with columns and one without. Ends with code 1 if a response is not what a loop over the rows finds.',
  numbers: {
    rows: { standard: 1_000_000, min: 1_000, help: 'whose lists, pages and writes are timed' },
    counted: { standard: 200_000, min: 1_000, help: 'rows of which three fields are counted' },
    rounds: { standard: 16, min: 2, help: 'of five filters each; the first half makes the columns' },
    pages: { standard: 40, help: 'of each kind' },
    blocks: { standard: 30, help: 'of a hundred writes' },
    seed: { standard: 1, help: 'of the filters that are drawn' },
  },
  run: ({ numbers, progress }) =>
    stressColumns({
      ...numbers,
      start: (jobs, what) => startAgentProcess(jobs, 10, what),
      progress,
    }),
});
