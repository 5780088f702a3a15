import {
  beginsAfter,
  compareBegins,
  compareEnds,
  endsBefore,
  type CompareKeys,
  type IndexKey,
  type KeyRange,
} from '../compile/frame/key-range.js';
import { SmallSet } from './small-set.js';

/** Maximum number of empty ranges kept before the tree is rebuilt. */
const maxEmpty = 16;

/**
 * Items by ranges of keys: an interval tree that is balanced (AVL), so that no insertion order makes it deep. Finds the k ranges
 * around a key among n in O(log n + k log n), usually in O(log n + k). Equal ranges share a node. Empty nodes are kept until half
 * of the nodes are empty.
 */
export class RangeTree<Item extends object> {
  private root: Node<Item> | null = null;
  private nodes = 0;
  private empty = 0;

  constructor(private readonly compare: CompareKeys) {}

  /** Number of ranges with items. */
  get size(): number {
    return this.nodes - this.empty;
  }

  add(range: KeyRange, item: Item): void {
    let node = this.find(range);
    if (node === null) {
      node = { range, items: new SmallSet(), last: range, height: 1, left: null, right: null };
      this.root = this.insert(this.root, node);
      this.nodes += 1;
    } else if (node.items.size === 0) this.empty -= 1;
    node.items.add(item);
  }

  delete(range: KeyRange, item: Item): void {
    const node = this.find(range);
    if (node === null || node.items.size === 0) return;
    node.items.delete(item);
    if (node.items.size > 0) return;
    this.empty += 1;
    if (this.empty > maxEmpty && this.empty * 2 > this.nodes) this.sweep();
  }

  /** Visits the items of all ranges that contain a key. */
  visit(key: IndexKey, visit: (item: Item) => void): void {
    const { compare } = this;
    const descend = (node: Node<Item> | null): void => {
      if (node === null || endsBefore(node.last, key, compare)) return;
      descend(node.left);
      if (beginsAfter(node.range, key, compare)) return;
      if (!endsBefore(node.range, key, compare)) node.items.forEach(visit);
      descend(node.right);
    };
    descend(this.root);
  }

  visitAll(visit: (item: Item) => void): void {
    forEachNode(this.root, ({ items }) => {
      items.forEach(visit);
    });
  }

  private order(a: KeyRange, b: KeyRange): number {
    return compareBegins(a, b, this.compare) || compareEnds(a, b, this.compare);
  }

  private find(range: KeyRange): Node<Item> | null {
    let node = this.root;
    while (node !== null) {
      const sign = this.order(range, node.range);
      if (sign === 0) return node;
      node = sign < 0 ? node.left : node.right;
    }
    return null;
  }

  private insert(node: Node<Item> | null, fresh: Node<Item>): Node<Item> {
    if (node === null) return fresh;
    if (this.order(fresh.range, node.range) < 0) node.left = this.insert(node.left, fresh);
    else node.right = this.insert(node.right, fresh);
    return this.balance(node);
  }

  private balance(node: Node<Item>): Node<Item> {
    const lean = heightOf(node.left) - heightOf(node.right);
    if (lean > 1 && node.left !== null) {
      if (heightOf(node.left.left) < heightOf(node.left.right)) node.left = this.rotate(node.left, 'right');
      return this.rotate(node, 'left');
    }
    if (lean < -1 && node.right !== null) {
      if (heightOf(node.right.right) < heightOf(node.right.left))
        node.right = this.rotate(node.right, 'left');
      return this.rotate(node, 'right');
    }
    this.refresh(node);
    return node;
  }

  /** Rotates the child on a side above its parent. */
  private rotate(node: Node<Item>, side: Side): Node<Item> {
    const child = node[side];
    if (child === null) return node;
    const other = side === 'left' ? 'right' : 'left';
    node[side] = child[other];
    child[other] = node;
    this.refresh(node);
    this.refresh(child);
    return child;
  }

  /** Updates what a node stores about its subtree. */
  private refresh(node: Node<Item>): void {
    node.height = 1 + Math.max(heightOf(node.left), heightOf(node.right));
    node.last = node.range;
    for (const below of [node.left, node.right]) {
      if (below !== null && compareEnds(below.last, node.last, this.compare) > 0) node.last = below.last;
    }
  }

  private sweep(): void {
    const full: Node<Item>[] = [];
    forEachNode(this.root, (node) => {
      if (node.items.size > 0) full.push(node);
    });
    const build = (from: number, to: number): Node<Item> | null => {
      const node = full[(from + to) >>> 1];
      if (from >= to || node === undefined) return null;
      node.left = build(from, (from + to) >>> 1);
      node.right = build(((from + to) >>> 1) + 1, to);
      this.refresh(node);
      return node;
    };
    this.root = build(0, full.length);
    this.nodes = full.length;
    this.empty = 0;
  }
}

interface Node<Item extends object> {
  readonly range: KeyRange;
  readonly items: SmallSet<Item>;
  /** The range in the subtree that ends last. */
  last: KeyRange;
  height: number;
  left: Node<Item> | null;
  right: Node<Item> | null;
}

type Side = 'left' | 'right';

function heightOf(node: { readonly height: number } | null): number {
  return node?.height ?? 0;
}

/** Visits all nodes in ascending order. */
function forEachNode<Item extends object>(node: Node<Item> | null, visit: (node: Node<Item>) => void): void {
  if (node === null) return;
  forEachNode(node.left, visit);
  visit(node);
  forEachNode(node.right, visit);
}
