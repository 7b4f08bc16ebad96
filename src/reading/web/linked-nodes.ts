/** A node among the children of another, linked both ways. */
interface Child<N> {
  parentNode: Parent<N> | null;
  previousSibling: N | null;
  nextSibling: N | null;
}

interface Parent<N> {
  firstChild: N | null;
  lastChild: N | null;
}

/** The children of a node, in their order. */
export function listChildren<N extends Child<N>>({ firstChild }: Parent<N>): N[] {
  const nodes: N[] = [];
  for (let node = firstChild; node; node = node.nextSibling) nodes.push(node);
  return nodes;
}

/** Takes a node from where it stands. */
export function removeNode<N extends Child<N>>(node: N): void {
  const { parentNode, previousSibling, nextSibling } = node;
  if (previousSibling) previousSibling.nextSibling = nextSibling;
  else if (parentNode) parentNode.firstChild = nextSibling;
  if (nextSibling) nextSibling.previousSibling = previousSibling;
  else if (parentNode) parentNode.lastChild = previousSibling;
  node.parentNode = node.previousSibling = node.nextSibling = null;
}

/** Puts a node last, from wherever it stands. */
export function appendNode<N extends Child<N>>(parent: Parent<N>, node: N): void {
  removeNode(node);
  node.parentNode = parent;
  node.previousSibling = parent.lastChild;
  if (parent.lastChild) parent.lastChild.nextSibling = node;
  else parent.firstChild = node;
  parent.lastChild = node;
}

/** Puts a node, from wherever it stands, in the place of another. */
export function replaceNode<N extends Child<N>>(parent: Parent<N>, node: N, old: N): void {
  removeNode(node);
  node.parentNode = parent;
  node.previousSibling = old.previousSibling;
  node.nextSibling = old.nextSibling;
  if (old.previousSibling) old.previousSibling.nextSibling = node;
  else parent.firstChild = node;
  if (old.nextSibling) old.nextSibling.previousSibling = node;
  else parent.lastChild = node;
  old.parentNode = old.previousSibling = old.nextSibling = null;
}
