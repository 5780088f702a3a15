import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { digits, duration, percent, type Report } from '../harness/report.js';
import { median, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const startScenario: Scenario = {
  name: 'start',
  about: 'a new process up to its first answer, import included',
  run: measureStarts,
};

const program = fileURLToPath(new URL('./first-result.js', import.meta.url));

async function measureStarts({ rounds, competitors, onProgress }: ScenarioContext): Promise<Report> {
  // A start takes long and varies little: a fifth of the rounds will do.
  const starts = Math.max(3, Math.round(rounds / 5));
  const names = competitors.filter((name) => name === 'tamis' || !name.startsWith('tamis'));
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < starts; round += 1) {
    for (const [name, list] of times) {
      onProgress(`${name} ${round + 1}/${starts}`);
      const { stdout } = await promisify(execFile)(process.execPath, [program, name]);
      list.push(Number(stdout));
    }
  }
  const first = median(times.get(names[0] ?? '') ?? [NaN]);
  return {
    title: 'start: import, compile the three-way `and`, ask about one row, in a new process',
    header: ['competitor', 'time', 'spread', `to ${names[0] ?? 'first'}`],
    rows: [...times].map(([name, list]) => [
      name,
      duration(median(list)),
      percent(spread(list)),
      digits(median(list) / first),
    ]),
    notes: ['Without the start of Node itself.'],
  };
}
