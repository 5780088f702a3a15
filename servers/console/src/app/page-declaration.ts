import type { ComponentType } from 'preact';

/** The properties of a page. */
export interface PageProps {
  /** The value of the braces, decoded; empty if the path has none. */
  readonly id: string;
}

/** The declaration of a page. Its code is loaded on navigation. */
export interface PageDeclaration {
  /** Below the address of the console: `jobs`, or `jobs/{id}` for the page of one. */
  readonly path: string;
  /** Its name in the title of the tab and in the navigation. */
  readonly title: string;
  /** Whether the navigation has it. */
  readonly isListed: boolean;
  readonly load: () => Promise<ComponentType<PageProps>>;
}
