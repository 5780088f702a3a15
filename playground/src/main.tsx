import { render } from 'preact';
import { sampleChoices } from './samples.js';
import { readFragment } from './share/fragment.js';
import { LinkError } from './share/shared-state.js';
import { createPlayground } from './state/playground.js';
import './style.css';
import { App } from './view/app.js';

const playground = createPlayground(
  () => new Worker(new URL('./worker/main.ts', import.meta.url), { type: 'module', name: 'engine' }),
);

/** Opens what the address carries. False where it carries nothing of ours. */
async function openLink(): Promise<boolean> {
  try {
    const shared = await readFragment(location.hash.slice(1));
    if (shared === null) return false;
    await playground.open(shared);
    return true;
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    playground.notice.value = { tone: 'error', text: `The link cannot be read: ${error.message}.` };
    return false;
  }
}

async function begin(): Promise<void> {
  if (await openLink()) return;
  const { value: notice } = playground.notice;
  const [first] = sampleChoices;
  await playground.load({ kind: 'sample', id: first.id }, first.filters[0]);
  playground.notice.value ??= notice;
}

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element for the playground');
render(<App playground={playground} />, root);
addEventListener('hashchange', () => void openLink());
void begin();
