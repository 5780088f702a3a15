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
  /** Bytes that an unprivileged user can still write. */
  readonly available: number;
}

/** The machine that the agent runs on. */
export interface Machine {
  /** Number of processors available to this process. */
  readonly cpuCount: number;
  readonly hostName: string;
  /** Output of `uname`: name, host, release, version, hardware. */
  readonly systemName: string;
  /** `linux`, `darwin`, … */
  readonly kernelName: string;
  readonly kernelVersion: string;
  /** As Node.js names it, such as `x64`. */
  readonly architecture: string;
  readonly memoryBytes: number;
  /** Directory for temporary files. */
  readonly temporaryDirectory: string;
  /** Version of the runtime, such as `v20.19.0`. */
  readonly runtimeVersion: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns all addresses of all interfaces. */
  addresses(): readonly NetworkInterfaceInfo[];
  /** Returns the beginning of a file. @throws the error of the file system. */
  readText(path: string, maxBytes: number): Promise<string>;
  /** @throws the error of the file system. May never settle if the server of a file system is unreachable. */
  diskSize(path: string): Promise<DiskSize>;
}

/** Creates the description of this machine. The program passes in the facts about its process. */
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
    // Files of /proc have no size, so they are read to the end.
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
