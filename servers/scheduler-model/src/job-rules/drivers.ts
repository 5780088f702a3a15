import { suggestName } from '@tamis/config';
import { knownDrivers } from '../driver-config.js';
import type { JobFindings } from '../job-validation.js';
import type { Job } from '../job.js';
import type { Node } from '../node.js';
import { quote } from '../quote.js';

/** Drivers of the original scheduler and its common plugins. A node may have them, so their names are not typing errors. */
const common = [
  ...['docker', 'exec', 'exec2', 'java', 'qemu', 'podman', 'lxc', 'containerd-driver', 'rkt', 'pot'],
  ...['firecracker-task-driver', 'nspawn', 'singularity', 'virt', 'windows_service', 'wasm'],
];

/** Finds tasks whose driver no node has. A misspelt name is an error, any other a warning, because a suitable node may join. */
export function examineDrivers(job: Job, nodes: Iterable<Node>): JobFindings {
  const there = new Set<string>();
  let count = 0;
  for (const { Drivers } of nodes) {
    count += 1;
    for (const [name, driver] of Object.entries(Drivers ?? {}))
      if (driver?.Detected === true) there.add(name);
  }
  const known = new Set([...there, ...common, ...knownDrivers]);
  const errors: string[] = [];
  const warnings: string[] = [];
  for (const [at, group] of (job.TaskGroups ?? []).entries()) {
    for (const [place, { Driver: name }] of (group.Tasks ?? []).entries()) {
      if (name === '' || there.has(name)) continue;
      const path = `Job.TaskGroups[${at}].Tasks[${place}].Driver`;
      const near = known.has(name) ? null : suggestName(name, [...known]);
      if (near !== null) errors.push(`${path}: there is no driver ${quote(name)}: did you mean ${near}?`);
      else if (count > 0)
        warnings.push(`${path}: no node has the driver ${quote(name)}, the task waits for one`);
    }
  }
  return { errors, warnings };
}
