import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('../..', import.meta.url));
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A third-party program, on disk, with the package as it is published. */
export interface Project {
  readonly folder: string;
  /** The path of a file, which is written if a text is given. */
  file(name: string, text?: string): string;
  remove(): void;
}

let bundled: ReadonlyMap<string, Buffer> | null = null;

/** The files of the package as it is published: bundled once for all projects of a process. */
function bundle(): ReadonlyMap<string, Buffer> {
  if (bundled !== null) return bundled;
  const folder = mkdtempSync(join(tmpdir(), 'tamis-editor-dist-'));
  try {
    execFileSync(process.execPath, [join(own, 'bundle.mjs'), folder], { cwd: own });
    bundled = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
    return bundled;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function makeProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-editor-'));
  const installed = join(folder, 'node_modules', '@tamis', 'typescript');
  mkdirSync(join(installed, 'dist'), { recursive: true });
  copyFileSync(join(own, 'package.json'), join(installed, 'package.json'));
  for (const [name, content] of bundle()) writeFileSync(join(installed, 'dist', name), content);
  symlinkSync(join(root, 'node_modules', 'typescript'), join(folder, 'node_modules', 'typescript'));
  const paths = { tamis: [join(root, 'src/index.ts')], 'tamis/*': [join(root, 'src/entries/*.ts')] };
  const project: Project = {
    folder,
    file(name, text) {
      const path = join(folder, name);
      if (text !== undefined) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    paths,
    plugins: [{ name: '@tamis/typescript', functions: [{ name: 'findJobs' }] }],
  };
  project.file('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  project.file('package.json', JSON.stringify({ name: 'somebody', type: 'module' }));
  return project;
}
