import { open, statfs } from 'node:fs/promises';
import {
  arch,
  availableParallelism,
  hostname,
  machine,
  networkInterfaces,
  release,
  tmpdir,
  totalmem,
  type,
  version,
  type NetworkInterfaceInfo,
} from 'node:os';

/** The size of a mounted file system in bytes. */
export interface DiskSize {
  readonly total: number;
  /** Bytes that a user without privileges may still write. */
  readonly available: number;
}

/** The machine that the agent runs on. */
export interface Machine {
  /** Processors that this process may use. */
  readonly cpuCount: number;
  readonly hostName: string;
  /** The line that `uname` prints: name, host, release, version, hardware. */
  readonly systemName: string;
  /** `linux`, `darwin`, … */
  readonly kernelName: string;
  readonly kernelVersion: string;
  /** In the runtime's words, such as `x64`. */
  readonly architecture: string;
  readonly memoryBytes: number;
  /** The directory for temporary files. */
  readonly temporaryDirectory: string;
  /** Of what runs this program, such as `v20.19.0`. */
  readonly runtimeVersion: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** All addresses of all interfaces. */
  addresses(): readonly NetworkInterfaceInfo[];
  /** The beginning of a file. @throws the file system's error. */
  readText(path: string, maxBytes: number): Promise<string>;
  /** @throws the file system's error. May never settle for a file system whose server is gone. */
  diskSize(path: string): Promise<DiskSize>;
}

/** This machine. What belongs to the process comes from the program itself. */
export function createMachine({
  environment,
  runtimeVersion,
}: Pick<Machine, 'environment' | 'runtimeVersion'>): Machine {
  return {
    environment,
    runtimeVersion,
    cpuCount: availableParallelism(),
    hostName: hostname(),
    systemName: [type(), hostname(), release(), version(), machine()].join(' '),
    kernelName: type().toLowerCase(),
    kernelVersion: release(),
    architecture: arch(),
    memoryBytes: totalmem(),
    temporaryDirectory: tmpdir(),
    addresses: () => Object.values(networkInterfaces()).flatMap((list) => list ?? []),
    readText: readBeginning,
    async diskSize(path) {
      const { bsize, blocks, bavail } = await statfs(path);
      return { total: bsize * blocks, available: bsize * bavail };
    },
  };
}

async function readBeginning(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    // Files of /proc have no size: read until there is nothing more.
    while (length < maxBytes) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(65_536, maxBytes - length)));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await file.close();
  }
}
