import { texOfCharacters, texOfName } from '../web/math.ts';
import { childAt, childElements, joinTexts, textWithin, type XmlElement } from './xml.ts';

/** Returns a formula of an Office file, `oMath` or `oMathPara`, as TeX between dollars; empty if it has no content. */
export function formulaOf(math: XmlElement): string {
  const lines = math.name === 'oMathPara' ? childElements(math, 'oMath') : [math];
  const tex = lines
    .map((line) => texOfChildren(line).replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join(' \\\\ ');
  return tex === '' ? '' : `$${tex}$`;
}

const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0306': 'breve',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u030c': 'check',
  '\u20d7': 'vec',
};
const BRACKETS: Readonly<Record<string, string>> = {
  '{': '\\{',
  '}': '\\}',
  '‖': '\\|',
  '⟨': '\\langle ',
  '⟩': '\\rangle ',
};

/** Joins the children of an element. Only the digits of adjacent runs can be parts of one number. */
function texOfChildren(element: XmlElement | undefined): string {
  const children = childElements(element);
  return children.reduce((tex, child, index) => {
    const isOneNumber = child.name === 'r' && children[index - 1]?.name === 'r';
    return isOneNumber ? tex + texOf(child) : joinTexts([tex, texOf(child)]);
  }, '');
}

function texOf(element: XmlElement): string {
  const part = (...path: string[]): string => texOfChildren(childAt(element, ...path)).trim();
  const property = (name: string): string | undefined =>
    childAt(element, `${element.name}Pr`, name)?.attributes['m:val'];
  switch (element.name) {
    case 'r':
      return texOfRun(element);
    case 'f':
      return property('type') === 'lin'
        ? `${braceArgument(part('num'))}/${braceArgument(part('den'))}`
        : property('type') === 'noBar'
          ? `\\binom{${part('num')}}{${part('den')}}`
          : `\\frac{${part('num')}}{${part('den')}}`;
    case 'sSup':
      return `${braceArgument(part('e'))}^{${part('sup')}}`;
    case 'sSub':
      return `${braceArgument(part('e'))}_{${part('sub')}}`;
    case 'sSubSup':
      return `${braceArgument(part('e'))}_{${part('sub')}}^{${part('sup')}}`;
    case 'sPre':
      return `{}_{${part('sub')}}^{${part('sup')}}${braceArgument(part('e'))}`;
    case 'rad': {
      const degree = part('deg');
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${part('e')}}`;
    }
    case 'nary': {
      const sign = texOfCharacters(property('chr') ?? '∫').trim();
      const [lower, upper] = [part('sub'), part('sup')];
      return `${sign}${lower === '' ? '' : `_{${lower}}`}${upper === '' ? '' : `^{${upper}}`} ${part('e')}`;
    }
    case 'd':
      return texOfBrackets(element, property);
    case 'func':
      return `${part('fName')} ${braceArgument(part('e'))}`;
    case 'limLow':
      return `${braceArgument(part('e'))}_{${part('lim')}}`;
    case 'limUpp':
      return `${braceArgument(part('e'))}^{${part('lim')}}`;
    case 'acc':
      return `\\${ACCENTS[property('chr') ?? '\u0302'] ?? 'hat'}{${part('e')}}`;
    case 'bar':
      return `\\${property('pos') === 'top' ? 'over' : 'under'}line{${part('e')}}`;
    case 'groupChr':
      return `\\${property('pos') === 'top' ? 'over' : 'under'}brace{${part('e')}}`;
    case 'm':
      return `\\begin{matrix}${rowsOf(element)}\\end{matrix}`;
    case 'eqArr':
      return `\\begin{aligned}${childElements(element, 'e').map(texOfChildren).join(' \\\\ ')}\\end{aligned}`;
    case 'del':
    case 'moveFrom':
    case 'Fallback':
      return '';
    default:
      // Parts that hold properties instead of content.
      return element.name.endsWith('Pr') ? '' : texOfChildren(element);
  }
}

function rowsOf(matrix: XmlElement): string {
  return childElements(matrix, 'mr')
    .map((row) => childElements(row, 'e').map(texOfChildren).join(' & '))
    .join(' \\\\ ');
}

function texOfBrackets(element: XmlElement, property: (name: string) => string | undefined): string {
  const [opening, closing] = [property('begChr') ?? '(', property('endChr') ?? ')'];
  const parts = childElements(element, 'e').map((part) => texOfChildren(part).trim());
  const inner = parts.join(property('sepChr') ?? '|');
  const isTall = /\\frac|\\sum|\\int|\\begin|\\binom/.test(inner);
  const sign = (side: 'left' | 'right', bracket: string): string =>
    `${isTall ? `\\${side}` : ''}${bracket === '' ? (isTall ? '.' : '') : (BRACKETS[bracket] ?? bracket)}`;
  return `${sign('left', opening)}${inner}${sign('right', closing)}`;
}

/** Returns the letters of a run. Words in upright letters are text. */
function texOfRun(run: XmlElement): string {
  const words = childElements(run, 't').map(textWithin).join('');
  const isText = childAt(run, 'rPr', 'nor') !== undefined;
  if (isText && /\p{L}{2}/u.test(words)) return `\\text{${words.replace(/[{}\\$%#&_]/g, '\\$&')}}`;
  const name = texOfName(words.trim());
  return name.startsWith('\\mathrm') ? words : name.startsWith('\\') ? name : texOfCharacters(words);
}

/** Returns TeX in braces unless it is a single character, number, or command. */
function braceArgument(tex: string): string {
  return /^(?:.|\d+(?:\.\d+)?|\\[a-zA-Z]+)$/u.test(tex) ? tex : `{${tex}}`;
}
