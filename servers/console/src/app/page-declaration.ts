import type { ComponentType } from 'preact';

/** What a page is given. */
export interface PageProps {
  /** What stands in the place of the braces, decoded; empty where the path has none. */
  readonly id: string;
}

/** A page, declared. Its code is loaded when somebody goes there. */
export interface PageDeclaration {
  /** Below the address of the console: `jobs`, or `jobs/{id}` for the page of one. */
  readonly path: string;
  /** What it is called, in the title of the tab and in the navigation. */
  readonly title: string;
  /** Whether the navigation has it. */
  readonly isListed: boolean;
  readonly load: () => Promise<ComponentType<PageProps>>;
}
