import { withBuilt } from '../../http/stress/build-program.js';
import { runProof } from '../../http/stress/proof.js';
import { buildAgent } from './build-agent.js';
import { stressCrashes } from './crash-stress.js';
import { startKillableAgent } from './killable-agent.js';

await runProof({
  about: `Kills an agent while clients write jobs, and looks whether anything that was acknowledged is lost. Ends with code 1
where something is, and then leaves the store as it is.`,
  numbers: {
    kills: { standard: 100, help: 'how often it is killed' },
    // An agent takes a hundred connections from one address.
    writers: { standard: 20, max: 90, help: 'clients that write at the same time' },
  },
  run: ({ numbers, directory, progress }) =>
    withBuilt(buildAgent(), (main) =>
      stressCrashes({
        ...{ ...numbers, progress, random: Math.random },
        start: () => startKillableAgent(main, ['--data-dir', directory]),
      }),
    ),
  clue: ({ directory }) => `The store is in ${directory}`,
});
