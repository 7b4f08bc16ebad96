/** Child node, linked in both directions. */
interface Child<N> {
  parentNode: Parent<N> | null;
  previousSibling: N | null;
  nextSibling: N | null;
}

interface Parent<N> {
  firstChild: N | null;
  lastChild: N | null;
}

/** Returns the children of a node, in order. */
export function listChildren<N extends Child<N>>({ firstChild }: Parent<N>): N[] {
  const nodes: N[] = [];
  for (let node = firstChild; node; node = node.nextSibling) nodes.push(node);
  return nodes;
}

/** Removes a node from its parent. */
export function removeNode<N extends Child<N>>(node: N): void {
  const { parentNode, previousSibling, nextSibling } = node;
  if (previousSibling) previousSibling.nextSibling = nextSibling;
  else if (parentNode) parentNode.firstChild = nextSibling;
  if (nextSibling) nextSibling.previousSibling = previousSibling;
  else if (parentNode) parentNode.lastChild = previousSibling;
  node.parentNode = node.previousSibling = node.nextSibling = null;
}

/** Moves a node to the end of a parent. */
export function appendNode<N extends Child<N>>(parent: Parent<N>, node: N): void {
  removeNode(node);
  node.parentNode = parent;
  node.previousSibling = parent.lastChild;
  if (parent.lastChild) parent.lastChild.nextSibling = node;
  else parent.firstChild = node;
  parent.lastChild = node;
}

/** Replaces a node by another, which it moves there. */
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
