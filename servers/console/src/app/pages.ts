import type { ComponentType } from 'preact';
import type { ResourceName } from '../language/protocol.js';
import type { PageDeclaration, PageProps } from './page-declaration.js';

/** All pages. The ones in the navigation are in its order. */
export const pages: readonly PageDeclaration[] = [
  {
    path: '',
    title: 'Overview',
    isListed: true,
    load: async () => (await import('../pages/overview-page.js')).OverviewPage,
  },
  { path: 'jobs', title: 'Jobs', isListed: true, load: () => loadList('jobs') },
  { path: 'nodes', title: 'Nodes', isListed: true, load: () => loadList('nodes') },
  { path: 'allocations', title: 'Allocations', isListed: true, load: () => loadList('allocations') },
  { path: 'deployments', title: 'Deployments', isListed: true, load: () => loadList('deployments') },
  { path: 'evaluations', title: 'Evaluations', isListed: true, load: () => loadList('evaluations') },
  {
    path: 'servers',
    title: 'Servers',
    isListed: true,
    load: async () => (await import('../pages/servers-page.js')).ServersPage,
  },
  {
    path: 'jobs/{id}',
    title: 'Job',
    isListed: false,
    load: async () => (await import('../pages/job-page.js')).JobPage,
  },
  {
    path: 'allocations/{id}',
    title: 'Allocation',
    isListed: false,
    load: async () => (await import('../pages/allocation-page.js')).AllocationPage,
  },
  {
    path: 'nodes/{id}',
    title: 'Node',
    isListed: false,
    load: async () => (await import('../pages/node-page.js')).NodePage,
  },
  {
    path: 'deployments/{id}',
    title: 'Deployment',
    isListed: false,
    load: async () => (await import('../pages/deployment-page.js')).DeploymentPage,
  },
  {
    path: 'evaluations/{id}',
    title: 'Evaluation',
    isListed: false,
    load: async () => (await import('../pages/evaluation-page.js')).EvaluationPage,
  },
  {
    path: 'access',
    title: 'Access',
    isListed: false,
    load: async () => (await import('../pages/access-page.js')).AccessPage,
  },
];

async function loadList(name: ResourceName): Promise<ComponentType<PageProps>> {
  return (await import('../pages/list-pages.js')).listPages[name];
}

/** The page of an address. */
export interface FoundPage {
  readonly page: PageDeclaration;
  readonly id: string;
}

/** Returns the page of an undecoded path; null if none exists. */
export function findPage(path: string, among: readonly PageDeclaration[] = pages): FoundPage | null {
  for (const page of among) {
    const [prefix = '', suffix] = page.path.split('{id}');
    if (suffix === undefined) {
      if (path === prefix) return { page, id: '' };
      continue;
    }
    const id = path.slice(prefix.length, path.length - suffix.length);
    if (!path.startsWith(prefix) || !path.endsWith(suffix) || id === '' || id.includes('/')) continue;
    const decoded = decode(id);
    if (decoded !== null) return { page, id: decoded };
  }
  return null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
