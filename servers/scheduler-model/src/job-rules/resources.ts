import type { TaskGroup } from '../task-group.js';
import type { Task } from '../task.js';
import { when } from './findings.js';

const minCpu = 1;
const minMemory = 10;
const minDisk = 10;

export function resourceErrors(resources: Task['Resources']): string[] {
  if (resources === null) return ['Missing task resources'];
  const { CPU, Cores, MemoryMB, MemoryMaxMB, DiskMB, SecretsMB } = resources;
  return [
    ...when(CPU > 0 && Cores > 0, "Task can only ask for 'cpu' or 'cores' resource, not both."),
    ...when(Cores < 0, `minimum Cores value is 0; got ${Cores}`),
    ...when(CPU < minCpu && !(Cores > 0 && Number(CPU) === 0), `minimum CPU value is ${minCpu}; got ${CPU}`),
    ...when(MemoryMB < minMemory, `minimum MemoryMB value is ${minMemory}; got ${MemoryMB}`),
    ...when(
      Number(MemoryMaxMB) !== 0 && MemoryMaxMB < MemoryMB,
      `MemoryMaxMB value (${MemoryMaxMB}) should be larger than MemoryMB value (${MemoryMB})`,
    ),
    ...when(DiskMB < 0, `minimum DiskMB value is 0; got ${DiskMB}`),
    ...when(SecretsMB < 0, `minimum SecretsMB value is 0; got ${SecretsMB}`),
  ];
}

export function diskErrors(disk: TaskGroup['EphemeralDisk']): string[] {
  if (disk === null) return [];
  return when(disk.SizeMB < minDisk, `minimum DiskMB value is ${minDisk}; got ${disk.SizeMB}`);
}

/** The disk of the group must have enough space for the kept logs. */
export function logErrors(log: Task['LogConfig'], disk: TaskGroup['EphemeralDisk']): string[] {
  if (log === null || log.Disabled) return [];
  const usage = BigInt(log.MaxFiles) * BigInt(log.MaxFileSizeMB);
  return [
    ...when(log.MaxFiles < 1, `minimum number of files is 1; got ${log.MaxFiles}`),
    ...when(log.MaxFileSizeMB < 1, `minimum file size is 1MB; got ${log.MaxFileSizeMB}`),
    ...when(
      disk !== null && usage >= BigInt(disk.SizeMB),
      `log storage (${usage} MB) must be less than requested disk capacity (${disk?.SizeMB} MB)`,
    ),
  ];
}
