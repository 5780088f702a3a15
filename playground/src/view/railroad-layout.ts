import type { FilterNode } from '../protocol.js';

/** A box of a diagram, in pixels. */
export interface RailBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly kind: 'match' | 'not' | 'collection';
  /** The text, cut where it is long; `full` is whole. */
  readonly text: string;
  readonly full: string;
  readonly node: FilterNode;
}

/**
 * A filter as a railroad: rows enter on the left, and those that get to the end on the right match. Operands of `and` are in a
 * row, those of `or` side by side; a frame around a part inverts its result, or goes through a collection.
 */
export interface Railroad {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly RailBox[];
  /** The rails, as the data of SVG paths. */
  readonly rails: readonly string[];
}

/** Most parts that are drawn: a larger picture is no help, and costs. */
const maxParts = 150;

const character = 7.3;
const maxTextLength = 44;
const boxHeight = 26;
const gap = 22;
const branchGap = 12;
const bend = 18;
const frame = 10;
const frameHead = 18;

interface Piece {
  readonly width: number;
  readonly height: number;
  /** How far below the upper end the rail runs. */
  readonly rail: number;
  draw(x: number, y: number, into: { readonly boxes: RailBox[]; readonly rails: string[] }): void;
}

/** Lays a filter out; null for one that is too large. */
export function layOutRailroad(tree: FilterNode): Railroad | null {
  if (countParts(tree) > maxParts) return null;
  const piece = pieceOf(tree);
  const drawn = { boxes: [] as RailBox[], rails: [] as string[] };
  piece.draw(gap, 4, drawn);
  const rail = 4 + piece.rail;
  drawn.rails.push(line(0, gap, rail), line(gap + piece.width, 2 * gap + piece.width, rail));
  return { width: piece.width + 2 * gap, height: piece.height + 8, ...drawn };
}

function countParts(node: FilterNode): number {
  return node.children.reduce((sum, child) => sum + countParts(child), 1);
}

function pieceOf(node: FilterNode): Piece {
  switch (node.kind) {
    case 'match':
      return station(node);
    case 'and':
      return series(node.children.map(pieceOf));
    case 'or':
      return branches(node.children.map(pieceOf));
    case 'not':
    case 'any':
    case 'all':
      return framed(node, series(node.children.map(pieceOf)));
  }
}

function cut(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > maxTextLength ? `${flat.slice(0, maxTextLength - 1)}…` : flat;
}

function station(node: FilterNode): Piece {
  const text = cut(node.text);
  const width = Math.ceil(text.length * character) + 20;
  return {
    width,
    height: boxHeight,
    rail: boxHeight / 2,
    draw(x, y, { boxes }) {
      boxes.push({ x, y, width, height: boxHeight, kind: 'match', text, full: node.text, node });
    },
  };
}

function series(pieces: readonly Piece[]): Piece {
  const rail = Math.max(...pieces.map((piece) => piece.rail));
  const below = Math.max(...pieces.map((piece) => piece.height - piece.rail));
  return {
    width: pieces.reduce((sum, piece) => sum + piece.width, 0) + gap * (pieces.length - 1),
    height: rail + below,
    rail,
    draw(x, y, into) {
      let at = x;
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) into.rails.push(line(at - gap, at, y + rail));
        piece.draw(at, y + rail - piece.rail, into);
        at += piece.width + gap;
      }
    },
  };
}

function branches(pieces: readonly Piece[]): Piece {
  const inner = Math.max(...pieces.map((piece) => piece.width));
  const width = inner + 4 * bend;
  const height = pieces.reduce((sum, piece) => sum + piece.height, 0) + branchGap * (pieces.length - 1);
  const rail = pieces[0]?.rail ?? 0;
  return {
    width,
    height,
    rail,
    draw(x, y, into) {
      let top = y;
      for (const [index, piece] of pieces.entries()) {
        const own = top + piece.rail;
        const left = x + 2 * bend;
        into.rails.push(
          index === 0 ? line(x, left, own) : curve(x, y + rail, left, own),
          line(left + piece.width, left + inner, own),
          index === 0 ? line(left + inner, x + width, own) : curve(x + width, y + rail, left + inner, own),
        );
        piece.draw(left, top, into);
        top += piece.height + branchGap;
      }
    },
  };
}

function framed(node: FilterNode, inside: Piece): Piece {
  const text = cut(node.text);
  const width = Math.max(inside.width, Math.ceil(text.length * character)) + 2 * frame;
  const height = inside.height + frameHead + frame;
  const rail = inside.rail + frameHead;
  return {
    width,
    height,
    rail,
    draw(x, y, into) {
      const kind = node.kind === 'not' ? 'not' : 'collection';
      into.boxes.push({ x, y, width, height, kind, text, full: node.text, node });
      into.rails.push(line(x, x + frame, y + rail), line(x + frame + inside.width, x + width, y + rail));
      inside.draw(x + frame, y + frameHead, into);
    },
  };
}

function line(from: number, to: number, y: number): string {
  return `M${from} ${y}H${to}`;
}

/** From the rail of the whole down (or up) to that of a branch, towards its middle. */
function curve(x: number, y: number, toX: number, toY: number): string {
  const side = Math.sign(toX - x);
  const middle = x + side * bend;
  const round = side * 9;
  return `M${x} ${y}h${round / 2}Q${middle} ${y} ${middle} ${y + 9}V${toY - 9}Q${middle} ${toY} ${middle + round} ${toY}H${toX}`;
}
