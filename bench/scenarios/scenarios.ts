import { compileScenario } from './compile.js';
import { freshScenario } from './fresh.js';
import { liveScenario } from './live.js';
import { pageScenario } from './page.js';
import { parseScenario } from './parse.js';
import { patternsScenario } from './patterns.js';
import type { Scenario } from './scenario.js';
import { startScenario } from './start.js';

export const scenarios: readonly Scenario[] = [
  parseScenario,
  compileScenario,
  startScenario,
  freshScenario,
  liveScenario,
  patternsScenario,
  pageScenario,
];

/** @throws RangeError for a name that no scenario has. */
export function scenarioOf(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new RangeError(`there is no scenario ${name}`);
  return found;
}
