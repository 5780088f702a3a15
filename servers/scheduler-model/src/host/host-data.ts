import type { DiskReader, DiskUsage } from './disks.js';
import { redactEnvironment } from './environment.js';
import type { Machine } from './machine.js';
import { describeAddress, type NetworkAddress } from './network-address.js';
import { reasonOf } from '../base/errors.js';

/** Diagnostic facts about the machine of an agent. */
export interface HostData {
  readonly OS: string;
  readonly Network: readonly NetworkAddress[];
  /** Content of the file, or why it could not be read. */
  readonly ResolvConf: string;
  readonly Hosts: string;
  readonly Environment: Readonly<Record<string, string>>;
  /** Disk usage by mount path. */
  readonly Disk: Readonly<Record<string, DiskUsage>>;
}

/** Maximum number of bytes returned of a file. Prevents huge responses. */
const maxFileLength = 262_144;

/** Collects the data. Concurrent requests share one result. */
export function createHostReader(machine: Machine, readDisks: DiskReader): () => Promise<HostData> {
  let underWay: Promise<HostData> | null = null;

  async function read(): Promise<HostData> {
    const [ResolvConf, Hosts, Disk] = await Promise.all([
      readOrExplain(machine, '/etc/resolv.conf'),
      readOrExplain(machine, '/etc/hosts'),
      readDisks(),
    ]);
    return {
      OS: machine.systemName,
      Network: machine.addresses().map(describeAddress),
      ResolvConf,
      Hosts,
      Environment: redactEnvironment(machine.environment),
      Disk,
    };
  }

  return () => {
    underWay ??= read().finally(() => (underWay = null));
    return underWay;
  };
}

async function readOrExplain(machine: Machine, path: string): Promise<string> {
  try {
    return await machine.readText(path, maxFileLength);
  } catch (error) {
    return reasonOf(error);
  }
}
