import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.mjs';

export type ThemeName = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

/** Look of VS Code's pages in a theme. */
interface Theme {
  /** `data-vscode-theme-kind` of the page's body, which is also one of its classes. */
  readonly kind: string;
  readonly id: string;
  /** CSS variables of the page's root element. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Taken from VS Code by `test/support/take-themes.ts`. */
interface Themes {
  /** Style sheet that VS Code adds to each page. */
  readonly defaultStyle: string;
  readonly themes: Readonly<Record<ThemeName, Theme>>;
}

const { defaultStyle, themes } = JSON.parse(
  readFileSync(join(root, 'test', 'fixtures', 'themes.json'), 'utf8'),
) as Themes;

export const themeNames = Object.keys(themes) as readonly ThemeName[];

/** Returns the style sheet of a page that opens in a theme; `surface` is the theme's color behind the page. */
export function themeCss(name: ThemeName, surface: 'editor' | 'sideBar'): string {
  const lines = Object.entries(themes[name].variables).map(([variable, value]) => `${variable}: ${value};`);
  return `${defaultStyle}\n:root { ${lines.join('\n')} background: var(--vscode-${surface}-background); }`;
}

/** Returns the attributes of the body of a page that opens in a theme. */
export function themeAttributes(name: ThemeName): string {
  const { id, kind } = themes[name];
  return `class="${kind}" data-vscode-theme-kind="${kind}" data-vscode-theme-id="${id}"`;
}

/** Changes the theme of an open page as the editor does. */
export async function applyTheme(page: Page, name: ThemeName): Promise<void> {
  await page.evaluate(
    async ({ kinds, names, theme: { id, kind, variables } }) => {
      const { body, documentElement } = document;
      // A variable that only another theme has counts as unset.
      for (const variable of names)
        documentElement.style.setProperty(variable, variables[variable] ?? 'initial');
      body.classList.remove(...kinds);
      body.classList.add(kind);
      body.dataset.vscodeThemeId = id;
      body.dataset.vscodeThemeKind = kind;
      // The toolkit follows the class, and applies its colors in the next frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    },
    {
      kinds: Object.values(themes).map(({ kind }) => kind),
      names: Object.values(themes).flatMap(({ variables }) => Object.keys(variables)),
      theme: themes[name],
    },
  );
}
