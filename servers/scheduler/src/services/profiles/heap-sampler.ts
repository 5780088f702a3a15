import type { Session } from 'node:inspector/promises';
import { openInspector } from './inspector.js';
import { frameOf, type CallFrame } from './frame-name.js';
import type { Frame, ProfileData, StackSample } from './pprof.js';

/** Average number of bytes between two sampled allocations, as in Go. */
const samplingInterval = 512 * 1_024;

/** Samples the allocations made after its start. */
export type HeapSampler = Awaited<ReturnType<typeof shareHeapSampler>>;

/** A function of the sampled tree, as in the DevTools protocol (HeapProfiler.SamplingHeapProfileNode). */
export interface HeapNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  /** Size in bytes. */
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

export interface HeapProfile {
  readonly head: HeapNode;
  readonly samples: readonly { readonly nodeId: number; readonly size: number }[];
}

/** The only sampler of the process, and the number of its users; null if none exists. */
let shared: { readonly session: Promise<Session>; users: number } | null = null;

/** Starts to sample the heap of this process, or joins a running sampler. */
export async function shareHeapSampler() {
  const joined = (shared ??= { session: startSampling(), users: 0 });
  joined.users += 1;
  const session = await joined.session;
  let isOpen = true;
  return {
    /** Returns the sampled live objects. `collect` runs the garbage collector first. */
    sample: (now: number, collect: boolean): Promise<ProfileData> => sampleHeap(session, now, collect),
    /** Stops the sampling. */
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      joined.users -= 1;
      if (joined.users > 0) return;
      session.disconnect();
      if (shared === joined) shared = null;
    },
  };
}

async function startSampling(): Promise<Session> {
  const session = openInspector();
  await session.post('HeapProfiler.startSampling', { samplingInterval });
  return session;
}

async function sampleHeap(session: Session, now: number, collect: boolean): Promise<ProfileData> {
  if (collect) await session.post('HeapProfiler.collectGarbage');
  const { profile } = await session.post('HeapProfiler.getSamplingProfile');
  // The type declarations lack two fields of the protocol.
  return convertHeapProfile(profile as unknown as HeapProfile, now);
}

/** Converts V8's tree of allocations to stacks with their live bytes. */
function convertHeapProfile({ head, samples }: HeapProfile, time: number): ProfileData {
  const counts = new Map<number, number>();
  for (const { nodeId } of samples) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
  const stacks: StackSample[] = [];
  const visit = (node: HeapNode, above: readonly Frame[]): void => {
    const { callFrame } = node;
    const stack = callFrame.functionName === '(root)' ? above : [frameOf(callFrame), ...above];
    const objects = counts.get(node.id) ?? 0;
    if (node.selfSize > 0) stacks.push({ stack, values: [objects, node.selfSize, objects, node.selfSize] });
    for (const child of node.children) visit(child, stack);
  };
  visit(head, []);
  return {
    types: [
      ['alloc_objects', 'count'],
      ['alloc_space', 'bytes'],
      ['inuse_objects', 'count'],
      ['inuse_space', 'bytes'],
    ],
    displayType: 'inuse_space',
    samples: stacks,
    period: ['space', 'bytes', samplingInterval],
    time,
    duration: 0,
    comments: ['the sampler forgets what has been collected: alloc_* counts what is still alive'],
  };
}
