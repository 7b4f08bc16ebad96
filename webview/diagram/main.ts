// Runs in an isolated frame without access to anything: receives a diagram's source once, and sends back the picture.
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { DiagramOrder, DiagramResult } from '../shared/diagram-messages.ts';

/** Parts in use of the library that is loaded before this script. */
interface Mermaid {
  initialize(config: object): void;
  render(id: string, source: string): Promise<{ readonly svg: string }>;
}

declare const mermaid: Mermaid;

window.addEventListener(
  'message',
  ({ data }: MessageEvent<DiagramOrder>) =>
    void drawDiagram(data).then((result) => window.parent.postMessage(result, '*')),
  { once: true },
);

async function drawDiagram({ source, isDark, fontFamily, nonce }: DiagramOrder): Promise<DiagramResult> {
  allowStyles(nonce);
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'htmlLabels', 'themeCSS'],
    suppressErrorRendering: true,
    maxTextSize: 20_000,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: isDark ? 'dark' : 'default',
    fontFamily,
  });
  try {
    return { svg: withSize((await mermaid.render('diagram', source)).svg) };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

/**
 * Applies the nonce to styles. The policy of the page above applies here, too: it allows no style without its nonce,
 * and no style attribute except through the object model. Without their styles, texts would be measured in the wrong
 * size.
 */
function allowStyles(nonce: string): void {
  const insert = Reflect.get(Node.prototype, 'insertBefore') as (node: Node, before: Node | null) => Node;
  Object.defineProperty(Node.prototype, 'insertBefore', {
    value(this: Node, node: Node, before: Node | null): Node {
      if (node instanceof HTMLStyleElement) node.nonce = nonce;
      return insert.call(this, node, before);
    },
  });
  const prototype = Element.prototype;
  const set = Reflect.get<Element, 'setAttribute'>(prototype, 'setAttribute');
  prototype.setAttribute = function (this: Element, name: string, value: string): void {
    if (name === 'style' && (this instanceof SVGElement || this instanceof HTMLElement))
      this.style.cssText = value;
    else set.call(this, name, value);
  };
}

/** Adds a width and height, which an SVG needs as a picture. */
function withSize(svg: string): string {
  const holder = document.createElement('template');
  holder.innerHTML = svg;
  const root = holder.content.firstElementChild;
  if (!(root instanceof SVGSVGElement)) return svg;
  const { width, height } = root.viewBox.baseVal;
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(root);
}
