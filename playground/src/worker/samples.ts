/** Rows to try filters on. */
export interface Sample {
  readonly id: string;
  readonly makeText: () => string;
}

/** Numbers that look drawn and are the same in every visit: mulberry32. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) * below) / 2 ** 32;
  };
}

type Draw = ReturnType<typeof createDraw>;

function pick<Item>(draw: Draw, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(draw(items.length))] ?? items[0];
}

function hex(draw: Draw, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(draw(16)).toString(16)).join('');
}

const epoch = Date.UTC(2026, 10, 1);
const minute = 60_000;
const zones = ['dc1', 'dc2', 'dc3'] as const;
const teams = ['payments', 'search', 'platform', 'media'] as const;
const services = ['web', 'api', 'cache', 'queue', 'billing', 'mailer', 'report', 'ingest'] as const;

function jobs(): string {
  const draw = createDraw(4646);
  const rows = Array.from({ length: 48 }, (_, index) => {
    const service = services[index % services.length] ?? 'web';
    const type = pick(draw, ['service', 'service', 'batch', 'system']);
    const groups = Array.from({ length: 1 + Math.floor(draw(3)) }, (__, number) => ({
      Name: pick(draw, ['main', 'sidecar', 'worker']),
      Count: Math.floor(draw(5)),
      Tasks: [
        { Name: service, Driver: pick(draw, ['docker', 'exec', 'java']), MemoryMB: 128 * (1 + number) },
      ],
    }));
    return {
      ID: `${service}-${index + 1}`,
      Type: type,
      Status: pick(draw, ['running', 'running', 'running', 'pending', 'dead']),
      Priority: pick(draw, [20, 50, 50, 70, 90]),
      Datacenters: zones.filter(() => draw(2) < 1.1),
      Meta: {
        owner: pick(draw, teams),
        ...(draw(2) < 1 ? { 'cost.center': String(40 + Math.floor(draw(5))) } : {}),
      },
      TaskGroups: groups,
      Version: `${1 + Math.floor(draw(3))}.${Math.floor(draw(12))}.${Math.floor(draw(9))}`,
      Periodic: type === 'batch' ? { Enabled: draw(2) < 1, Spec: '*/15 * * * *' } : null,
      Stop: draw(10) < 1,
      SubmitTime: new Date(epoch + Math.floor(draw(30 * 24 * 60)) * minute).toISOString(),
    };
  });
  return JSON.stringify(rows, null, 1);
}

function requests(): string {
  const draw = createDraw(8300);
  const paths = ['/', '/login', '/v1/jobs', '/v1/nodes', '/search', '/static/app.js'] as const;
  const lines = Array.from({ length: 5_000 }, (_, index) => {
    const slow = draw(20) < 1;
    return JSON.stringify({
      time: new Date(epoch + index * 7_300).toISOString(),
      method: pick(draw, ['GET', 'GET', 'GET', 'POST', 'DELETE']),
      path: pick(draw, paths),
      status: pick(draw, [200, 200, 200, 200, 304, 404, 500, 503]),
      took: slow ? `${(1 + draw(8)).toFixed(1)}s` : `${Math.floor(2 + draw(400))}ms`,
      bytes: Math.floor(draw(200_000)),
      client: `10.${Math.floor(draw(4))}.${Math.floor(draw(256))}.${1 + Math.floor(draw(254))}`,
      headers: { accept: pick(draw, ['*/*', 'application/json']), ...(slow ? { 'x-retry': '1' } : {}) },
    });
  });
  return lines.join('\n');
}

function releases(): string {
  const draw = createDraw(8200);
  const lines = Array.from({ length: 400 }, (_, index) => {
    const version = `${1 + Math.floor(index / 90)}.${Math.floor(draw(20))}.${Math.floor(draw(10))}`;
    const note = pick(draw, ['', 'security', '"fixes, and more"', 'docs']);
    const date = new Date(epoch - (400 - index) * 24 * 60 * minute).toISOString();
    return `${pick(draw, services)},${version},${date},${Math.floor(draw(90_000))},${draw(8) < 1},${note}`;
  });
  return ['package,version,released,downloads,yanked,notes', ...lines].join('\r\n');
}

function machines(): string {
  const draw = createDraw(100_000);
  const lines = Array.from({ length: 100_000 }, (_, index) =>
    JSON.stringify({
      id: hex(draw, 8),
      name: `${pick(draw, services)}-${index}`,
      state: pick(draw, ['ready', 'ready', 'ready', 'draining', 'down', 'initializing']),
      zone: pick(draw, zones),
      cpu: Math.floor(draw(128)),
      load: Math.round(draw(400)) / 100,
      address: `10.${Math.floor(index / 65_536)}.${Math.floor(index / 256) % 256}.${index % 256}`,
      tags: teams.filter(() => draw(4) < 1),
    }),
  );
  return lines.join('\n');
}

export const samples: readonly Sample[] = [
  { id: 'jobs', makeText: jobs },
  { id: 'requests', makeText: requests },
  { id: 'releases', makeText: releases },
  { id: 'machines', makeText: machines },
];
