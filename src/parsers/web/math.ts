import { elementsIn, type PageElement, type PageNode } from './page-tree.ts';

/** Returns the TeX of a MathML formula: its own annotation, or TeX built from its elements. */
export function texOfMath(math: PageElement): string {
  const annotation = elementsIn(math, 'ANNOTATION').find((annotation) =>
    /tex/i.test(annotation.attributes.get('encoding') ?? ''),
  );
  const described = math.attributes.get('alttext') ?? '';
  const tex = annotation ? annotation.textContent : isTex(described) ? described : toTex(math) || described;
  return tex.replace(/\s+/g, ' ').trim();
}

/** Reports whether the description of a formula is TeX, not its words: `n squared over 2`. */
function isTex(described: string): boolean {
  return /[\\^_]/.test(described) || (described !== '' && !/\p{L}{2}|[^\x20-\x7e]/u.test(described));
}

const COMMANDS: Readonly<Record<string, string>> = {
  '−': '-',
  '×': '\\times ',
  '·': '\\cdot ',
  '⋅': '\\cdot ',
  '÷': '\\div ',
  '±': '\\pm ',
  '≤': '\\le ',
  '≥': '\\ge ',
  '≠': '\\ne ',
  '≈': '\\approx ',
  '≡': '\\equiv ',
  '∈': '\\in ',
  '∉': '\\notin ',
  '⊂': '\\subset ',
  '⊆': '\\subseteq ',
  '∪': '\\cup ',
  '∩': '\\cap ',
  '∀': '\\forall ',
  '∃': '\\exists ',
  '∂': '\\partial ',
  '∇': '\\nabla ',
  '∞': '\\infty ',
  '∑': '\\sum ',
  '∏': '\\prod ',
  '∫': '\\int ',
  '→': '\\to ',
  '⇒': '\\Rightarrow ',
  '⇔': '\\Leftrightarrow ',
  '…': '\\dots ',
  '⋯': '\\cdots ',
  α: '\\alpha ',
  β: '\\beta ',
  γ: '\\gamma ',
  δ: '\\delta ',
  ε: '\\epsilon ',
  θ: '\\theta ',
  λ: '\\lambda ',
  μ: '\\mu ',
  π: '\\pi ',
  ρ: '\\rho ',
  σ: '\\sigma ',
  τ: '\\tau ',
  φ: '\\phi ',
  ω: '\\omega ',
  Γ: '\\Gamma ',
  Δ: '\\Delta ',
  Θ: '\\Theta ',
  Λ: '\\Lambda ',
  Σ: '\\Sigma ',
  Φ: '\\Phi ',
  Ω: '\\Omega ',
  '{': '\\{',
  '}': '\\}',
  '%': '\\%',
  // Invisible operators.
  '\u2061': '',
  '\u2062': '',
  '\u2063': '',
};

/** Returns characters as TeX, with commands for the symbols among them. */
export function texOfCharacters(text: string): string {
  return text.replace(/[^\w\s]/gu, (character) => COMMANDS[character] ?? character);
}

function toTex(node: PageNode): string {
  if (node.nodeType === 3) {
    const text = node.data.replace(/\s+/g, ' ');
    return text.trim() === '' ? '' : texOfCharacters(text);
  }
  const part = (index: number): string => {
    const child = node.children[index];
    return child ? toTex(child) : '';
  };
  const parts = (separator: string): string => node.children.map(toTex).join(separator);
  switch (node.nodeName) {
    case 'MFRAC':
      return `\\frac{${part(0)}}{${part(1)}}`;
    case 'MSQRT':
      return `\\sqrt{${parts('')}}`;
    case 'MROOT':
      return `\\sqrt[${part(1)}]{${part(0)}}`;
    case 'MSUP':
    case 'MOVER':
      return `${base(part(0))}^{${part(1)}}`;
    case 'MSUB':
    case 'MUNDER':
      return `${base(part(0))}_{${part(1)}}`;
    case 'MSUBSUP':
    case 'MUNDEROVER':
      return `${base(part(0))}_{${part(1)}}^{${part(2)}}`;
    case 'MTABLE':
      return `\\begin{matrix}${parts(' \\\\ ')}\\end{matrix}`;
    case 'MTR':
      return parts(' & ');
    case 'MFENCED': {
      const separators = Array.from(node.attributes.get('separators') ?? ',').filter(
        (source) => source.trim() !== '',
      );
      const inner = node.children.map((child, i) => {
        const separator = i === 0 ? '' : (separators[Math.min(i, separators.length) - 1] ?? '');
        return (COMMANDS[separator] ?? separator) + toTex(child);
      });
      const [open, close] = [node.attributes.get('open') ?? '(', node.attributes.get('close') ?? ')'];
      return (COMMANDS[open] ?? open) + inner.join('') + (COMMANDS[close] ?? close);
    }
    case 'MPHANTOM':
      return '';
    case 'MTEXT':
      return `\\text{${node.textContent.trim()}}`;
    case 'MSPACE':
      return ' ';
    case 'ANNOTATION':
    case 'ANNOTATION-XML':
      return '';
    case 'MI':
      return node.children.length === 0 ? texOfName(node.textContent.trim()) : joinParts(node.childNodes);
    default:
      return joinParts(node.childNodes);
  }
}

/** Joins parts of a formula. Only adjacent numbers in elements of their own can be parts of one number. */
function joinParts(parts: readonly PageNode[]): string {
  let tex = '';
  for (const [index, part] of parts.entries()) {
    const more = toTex(part);
    const isOneNumber = part.nodeName === 'MN' && parts[index - 1]?.nodeName === 'MN';
    tex += !isOneNumber && /\d$/.test(tex) && /^\d/.test(more) ? ` ${more}` : more;
  }
  return tex;
}

/** Returns the base of a subscript or superscript, in braces if it needs them. */
function base(tex: string): string {
  return /^(?:.?|\\[a-z]+ ?|[\d.]+)$/i.test(tex) ? tex.trim() : `{${tex}}`;
}

/** Returns the name of a variable or function as TeX. */
export function texOfName(name: string): string {
  if (/^(?:sin|cos|tan|log|ln|exp|lim|max|min|det|dim|gcd|sup|inf)$/.test(name)) return `\\${name} `;
  return /^[A-Za-z]{2,}$/.test(name) ? `\\mathrm{${name}}` : (COMMANDS[name] ?? name);
}

/** Returns a formula that KaTeX rendered as HTML alone, in one line: `a=b+c`, `c^2`, `(a+b)/2`. */
export function textOfKatex(html: PageElement): string {
  return layOutKatex(html)
    .replace(/\u200b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function hasClass(node: PageNode, name: string): boolean {
  return node.nodeType === 1 && ` ${node.attributes.get('class') ?? ''} `.includes(` ${name} `);
}

function layOutKatex(node: PageNode): string {
  if (node.nodeType === 3) return node.data;
  if (hasClass(node, 'strut') || hasClass(node, 'pstrut') || hasClass(node, 'vlist-s')) return '';
  if (hasClass(node, 'msupsub')) return scriptsOfKatex(node);
  if (hasClass(node, 'mfrac')) {
    // The denominator comes first, then the line, then the numerator.
    const parts = linesOfKatex(node).filter((part) => part !== '');
    if (parts.length === 2) return `${groupTex(parts[1] ?? '')}/${groupTex(parts[0] ?? '')}`;
  }
  if (hasClass(node, 'sqrt')) return `√${groupTex(node.childNodes.map(layOutKatex).join('').trim())}`;
  const text = node.childNodes.map(layOutKatex).join('');
  return hasClass(node, 'mrel') && /^\p{L}/u.test(text) ? ` ${text} ` : text;
}

/** Returns the lines that KaTeX stacks, from the lowest one. */
function linesOfKatex(node: PageElement): string[] {
  for (const inner of elementsIn(node, 'SPAN'))
    if (hasClass(inner, 'vlist')) return inner.children.map((line) => layOutKatex(line).trim());
  return [];
}

function scriptsOfKatex(node: PageElement): string {
  const lines = linesOfKatex(node).filter((line) => line !== '');
  const [first = node.textContent.trim(), second] = lines;
  if (second !== undefined) return `_${groupTex(first)}^${groupTex(second)}`;
  const isIndex = elementsIn(node, 'SPAN').some((inner) => hasClass(inner, 'vlist-t2'));
  return first === '' ? '' : `${isIndex ? '_' : '^'}${groupTex(first)}`;
}

function groupTex(text: string): string {
  return /^(?:\p{L}|\d{1,99})$/u.test(text) ? text : `(${text})`;
}
