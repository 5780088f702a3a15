import { accessScenario } from './access.js';
import { columnsScenario } from './columns.js';
import { columnsHostileScenario } from './columns-hostile.js';
import { compileScenario } from './compile.js';
import { compileShapesScenario } from './compile-shapes.js';
import { floodScenario } from './flood.js';
import { freshScenario } from './fresh.js';
import { cachedScenario } from './cached.js';
import { loadScenario } from './load.js';
import { liveScenario } from './live.js';
import { pageScenario } from './page.js';
import { pagesScenario } from './pages.js';
import { parseScenario } from './parse.js';
import { patternsScenario } from './patterns.js';
import type { Scenario } from './scenario.js';
import { servedScenario } from './served.js';
import { setScenario } from './set.js';
import { standardScenario } from './standard.js';
import { startScenario } from './start.js';

export const scenarios: readonly Scenario[] = [
  parseScenario,
  compileScenario,
  compileShapesScenario,
  startScenario,
  freshScenario,
  liveScenario,
  cachedScenario,
  floodScenario,
  patternsScenario,
  pageScenario,
  pagesScenario,
  loadScenario,
  setScenario,
  standardScenario,
  columnsScenario,
  columnsHostileScenario,
  servedScenario,
  accessScenario,
];

/** @throws RangeError for a name that no scenario has. */
export function scenarioOf(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new RangeError(`there is no scenario ${name}`);
  return found;
}
