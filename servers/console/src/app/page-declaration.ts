import type { ComponentType } from 'preact';

/** The properties of a page. */
export interface PageProps {
  /** The decoded value of the placeholder; empty if the path has none. */
  readonly id: string;
}

/** The declaration of a page. Its code is loaded on navigation. */
export interface PageDeclaration {
  /** Path below the console's address: `jobs`, or `jobs/{id}` for the page of one. */
  readonly path: string;
  /** Name in the tab title and in the navigation. */
  readonly title: string;
  /** Whether the navigation contains it. */
  readonly isListed: boolean;
  readonly load: () => Promise<ComponentType<PageProps>>;
}
