import { expect, type BrowserContext, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { join } from 'node:path';
import { results } from './paths.mjs';
import { isEverything } from './test-size.mjs';

/** One of VS Code's menus ignores the mouse in its first moments, in milliseconds. */
const menuDelay = 250;

/** Time limit for opening a window, in milliseconds. */
export const STARTING = 60_000;

/** A VS Code window in a browser's page. */
export class Workbench {
  readonly page: Page;
  /** The box that asks for text or a choice, and the command palette. */
  readonly quickInput: Locator;

  private constructor(page: Page) {
    this.page = page;
    this.quickInput = page.locator('.quick-input-widget');
  }

  /**
   * Opens an address from a server's `urlOf` in a new page and waits until the window is loaded.
   * @param isInstalled whether the extension is there already
   */
  static async open(context: BrowserContext, url: string, isInstalled = true): Promise<Workbench> {
    const workbench = new Workbench(await context.newPage());
    await workbench.page.goto(url, { waitUntil: 'domcontentloaded' });
    await workbench.#stands();
    if (isInstalled) await workbench.#isReady();
    return workbench;
  }

  /**
   * Reloads the page at once like a browser, so that state which the editor saves late, such as its tabs, may be lost.
   */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.#stands();
    await this.#isReady();
  }

  /** Reloads the window with the editor's own command, which first saves its tabs. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded', { timeout: STARTING });
    await this.run('Developer: Reload Window');
    await loaded;
    await this.#stands();
    await this.#isReady();
  }

  async #stands(): Promise<void> {
    await this.page.locator('[id="workbench.parts.statusbar"]').waitFor({ timeout: STARTING });
  }

  async #isReady(): Promise<void> {
    // The extension's commands and views are ready once its icon is shown.
    await this.containerTab(/^Open Notebook/).waitFor({ timeout: STARTING });
  }

  /** Runs a command by its full title, such as `Open Notebook: Ask`. */
  async run(title: string): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press('F1');
      // Text that was entered before the commands were loaded is searched again.
      await this.#input.fill('>', { timeout: 5_000 });
      await this.#input.fill(`>${title}`, { timeout: 5_000 });
      await this.#choice(title).first().click({ timeout: 5_000 });
    }).toPass();
    // The palette takes a moment to close, and the next input box must not be mistaken for it.
    await expect(this.#palette).toHaveCount(0);
  }

  /** Types a text into the box that asks for one, and confirms it. */
  async fill(text: string): Promise<void> {
    await this.#input.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Runs a command and selects an entry of its list. A page that takes the focus late closes the list, so try again. */
  async runAndPick(title: string, label: string): Promise<void> {
    await expect(async () => {
      await this.run(title);
      await this.#isSettled(label, 5_000);
      await this.#choice(label).first().click({ timeout: 5_000 });
    }).toPass();
  }

  /** Selects an entry of the open list. */
  async pick(label: string): Promise<void> {
    await this.#isSettled(label);
    await this.#choice(label).first().click();
  }

  /**
   * Waits for a stable list. A new list is drawn more than once, and its rows are reused for other entries, so a row
   * that is found too early may be another one when the mouse arrives. Fails after `timeout` milliseconds, if given.
   */
  async #isSettled(label: string, timeout?: number): Promise<void> {
    let before: string[] = [];
    await expect(async () => {
      const rows = await this.#choice('').allInnerTexts();
      const isSame = rows.length === before.length && rows.every((text, index) => text === before[index]);
      before = rows;
      expect(isSame && (await this.#choice(label).count()) > 0).toBe(true);
    }).toPass({ intervals: [100], ...(timeout !== undefined && { timeout }) });
  }

  /** Selects more entries of a list with multiple selection, and confirms it. */
  async pickSeveral(labels: readonly string[]): Promise<void> {
    await this.#isSettled(labels[0] ?? '');
    for (const label of labels) await this.#choice(label).first().click();
    // A focused page loses the focus a moment after the list is shown.
    await expect(this.quickInput.locator(':focus')).toHaveCount(1);
    await this.page.keyboard.press('Enter');
  }

  get #input(): Locator {
    return this.quickInput.locator('.quick-input-box input');
  }

  get #palette(): Locator {
    return this.page.locator('.quick-input-box input[placeholder^="Type the name of a command"]:visible');
  }

  #choice(label: string): Locator {
    return this.quickInput.locator('.monaco-list-row', { hasText: label });
  }

  /** Opens a file in an editor, by its path in the workspace. */
  async openFile(path: string, line?: number): Promise<void> {
    const name = path.split('/').at(-1) ?? path;
    // An editor that opens late, such as a page that gets the focus, closes the input box.
    await expect(async () => {
      await this.page.keyboard.press('ControlOrMeta+p');
      await this.#input.fill(line === undefined ? path : `${path}:${String(line)}`, { timeout: 5_000 });
      // The list shows recent files until the entered text is searched.
      await this.quickInput
        .locator('.monaco-list-row.focused', { hasText: name })
        .waitFor({ timeout: 5_000 });
      await this.page.keyboard.press('Enter');
      await expect(this.quickInput).toBeHidden({ timeout: 5_000 });
      await this.tab(name).waitFor({ timeout: 5_000 });
    }).toPass();
  }

  /**
   * Opens a PDF of the workspace folder in the viewer, if the settings open PDFs there. A new window may not know the
   * viewer yet and show the bytes. Quick open would repeat that, so this uses the explorer, which reads the settings
   * each time.
   */
  async openPdf(name: string): Promise<void> {
    await this.showExplorer();
    await this.#isInExplorer(name);
    await expect(async () => {
      await this.file(name).dblclick({ timeout: 5_000 });
      await this.tab(name).waitFor({ timeout: 5_000 });
      const viewer = this.page.locator('.editor-group-container.active [id^="webview-editor-element"]');
      // The page itself covers the editor, whose place has an element without a size.
      await viewer.or(this.editorLines).first().waitFor({ state: 'attached', timeout: 20_000 });
      if (await this.editorLines.first().isVisible()) {
        await this.run('View: Close Editor');
        throw new Error(`${name} is shown as text.`);
      }
    }).toPass();
  }

  /** Moves the cursor of the active editor to a position, counted from 1. */
  async goTo(line: number, column: number): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press('ControlOrMeta+p');
      await this.#input.fill(`:${String(line)}:${String(column)}`, { timeout: 5_000 });
      await this.page.keyboard.press('Enter');
      await expect(this.quickInput).toBeHidden({ timeout: 5_000 });
    }).toPass();
  }

  /** Opens a file and selects whole lines, counted from 1. */
  async selectLines(path: string, first: number, last: number): Promise<void> {
    await this.openFile(path, first);
    const editor = this.page.locator('.editor-instance .monaco-editor.focused').first();
    await editor.waitFor();
    await this.page.keyboard.press('Home');
    for (let line = first; line < last; line++) await this.page.keyboard.press('Shift+ArrowDown');
    await this.page.keyboard.press('Shift+End');
  }

  /** The open editor's lines, as they are drawn. */
  get editorLines(): Locator {
    return this.page.locator('.editor-group-container.active .view-lines .view-line');
  }

  /** An editor's tab, by its label. */
  tab(label: string): Locator {
    return this.page.locator('.tabs-container .tab', { hasText: label });
  }

  /** A file or folder in the explorer, by its name. */
  file(name: string): Locator {
    return this.page.locator('.explorer-folders-view .monaco-list-row', {
      has: this.page.locator('.label-name', { hasText: new RegExp(`^${escape(name)}$`) }),
    });
  }

  /** Chooses an entry of the context menu of one file or folder in the explorer, or of several. */
  async explorerMenu(names: string | readonly string[], item: string): Promise<void> {
    await this.showExplorer();
    const all = typeof names === 'string' ? [names] : names;
    for (const name of all) await this.#isInExplorer(name);
    if (all.length > 1) for (const name of all) await this.#selectToo(this.file(name));
    await this.menu(this.file(all.at(-1) ?? ''), item);
  }

  /** Waits for a file or folder in the explorer, which refreshes if it missed a change. */
  async #isInExplorer(name: string): Promise<void> {
    const row = this.file(name).first();
    await expect(async () => {
      try {
        await row.waitFor({ timeout: 10_000 });
      } catch (error) {
        await this.run('Refresh Explorer');
        throw error;
      }
    }).toPass();
  }

  /** Adds a row to the selection. */
  async #selectToo(row: Locator): Promise<void> {
    await expect(async () => {
      // A busy window may miss a click, but a second one would undo the first.
      if (!/\bselected\b/.test((await row.getAttribute('class')) ?? ''))
        await row.click({ modifiers: ['ControlOrMeta'], timeout: 5_000 });
      await expect(row).toHaveClass(/\bselected\b/, { timeout: 2_000 });
    }).toPass();
  }

  /** Chooses an entry of the context menu of an editor's tab. */
  async tabMenu(label: string, item: string): Promise<void> {
    await this.menu(this.tab(label), item);
  }

  /** Selects an entry of the open editor's context menu without changing its selection. */
  async editorMenu(item: string): Promise<void> {
    await this.page.keyboard.press('Shift+F10');
    await this.#chooseFromMenu(item);
  }

  /** Right-clicks something and chooses an entry of the menu that opens. */
  async menu(target: Locator, item: string): Promise<void> {
    await this.#clickForMenu(target, 'right', item);
  }

  /** Chooses an entry of the menu that a button opens. */
  async buttonMenu(button: Locator, item: string): Promise<void> {
    await this.#clickForMenu(button, 'left', item);
  }

  async #clickForMenu(target: Locator, button: 'left' | 'right', item: string): Promise<void> {
    // A busy window may miss a click, or open the menu before it registers the selection.
    await expect(async () => {
      if (await this.#menu.first().isVisible()) await this.page.keyboard.press('Escape');
      await target.click({ button, timeout: 5_000 });
      await expect(this.#menuEntry(item)).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await this.#chooseFromMenu(item);
  }

  async #chooseFromMenu(item: string): Promise<void> {
    const entry = this.#menuEntry(item);
    await entry.hover();
    await expect(async () => {
      await this.page.waitForTimeout(menuDelay);
      // The menu closes with the click that it accepts.
      if (await entry.isVisible()) await entry.click({ timeout: 5_000 });
      await expect(this.#menu).toHaveCount(0, { timeout: 3_000 });
    }).toPass();
  }

  get #menu(): Locator {
    return this.page.locator('.monaco-menu');
  }

  #menuEntry(item: string): Locator {
    return this.#menu.locator('.action-item', { hasText: item }).first();
  }

  /** Shows the explorer in the side bar. */
  async showExplorer(): Promise<void> {
    await this.#showContainer(/^Explorer/);
  }

  /** Shows a view container by its name in the activity bar. */
  async showViews(name = 'Open Notebook'): Promise<void> {
    await this.#showContainer(new RegExp(`^${escape(name)}`));
  }

  async #showContainer(name: RegExp): Promise<void> {
    const tab = this.containerTab(name);
    await tab.waitFor();
    // A window that is still loading may switch to another container once more.
    await expect(async () => {
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click({ timeout: 5_000 });
      await expect(tab).toHaveAttribute('aria-selected', 'true', { timeout: 1_000 });
    }).toPass();
  }

  containerTab(name: RegExp): Locator {
    return this.page.locator('.activitybar').getByRole('tab', { name });
  }

  /** A view by its title, whole: header, actions and content. */
  view(title: string): Locator {
    return this.page.locator('.pane', {
      has: this.page.locator('.pane-header .title', { hasText: new RegExp(`^${escape(title)}$`, 'i') }),
    });
  }

  /** Unfolds a view that is folded. */
  async unfold(title: string): Promise<void> {
    const header = this.view(title).locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
  }

  /** Returns the rows of a tree view by the view's title, optionally only those with a text. */
  rows(title: string, text?: string | RegExp): Locator {
    return this.view(title).locator('.monaco-list-row', text === undefined ? {} : { hasText: text });
  }

  /** Clicks an action in a view's title bar, by its name. */
  async viewAction(title: string, action: string): Promise<void> {
    const view = this.view(title);
    await view.hover();
    await view.locator('.pane-header').getByRole('button', { name: action }).click();
  }

  /** Clicks an inline action of a row, by its name. */
  async rowAction(row: Locator, action: string): Promise<void> {
    await row.hover();
    await row.getByRole('button', { name: action }).click();
  }

  /**
   * Returns the page inside a webview of the extension.
   * @param has a selector or a text that identifies it among the extension's webviews
   */
  async webview(has?: string): Promise<FrameLocator> {
    const outer = this.page.locator('iframe.webview.ready[src*="extensionId=open-notebook.open-notebook"]');
    const inner = (index: number): FrameLocator =>
      outer.nth(index).contentFrame().frameLocator('#active-frame');
    let page: FrameLocator | undefined;
    await expect(async () => {
      const count = await outer.count();
      for (let index = 0; index < count && !page; index++) {
        const frame = inner(index);
        const mark = has === undefined ? frame.locator('body') : frame.locator(has).first();
        if ((await outer.nth(index).isVisible()) && (await mark.isVisible())) page = frame;
      }
      expect(page, `no webview shows ${has ?? 'anything'}`).toBeDefined();
    }).toPass();
    return page ?? inner(0);
  }

  /** Notifications with a text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /** Clicks a notification's button. */
  async answerNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).getByRole('button', { name: button }).click();
  }

  /** Shows the hover text of a row. A redrawn row shows none until the mouse comes back. */
  async hover(row: Locator, text: string | RegExp): Promise<Locator> {
    const hover = this.page.locator('.workbench-hover', { hasText: text });
    await expect(async () => {
      await this.page.mouse.move(700, 300);
      await row.hover();
      await expect(hover).toBeVisible({ timeout: 5_000 });
    }).toPass();
    return hover;
  }

  /** A modal dialog with a text. */
  dialog(text: string | RegExp): Locator {
    return this.page.locator('.monaco-dialog-box', { hasText: text });
  }

  /** The items of the status bar with a text. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item', { hasText: text });
  }

  /** Resizes the window, in CSS pixels. */
  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /** Saves a picture of the window as `test-results/screenshots/NAME.png`, in `npm run test:all` only. */
  async screenshot(name: string): Promise<void> {
    if (!isEverything) return;
    await this.page.screenshot({ path: join(results, 'screenshots', `${name}.png`), animations: 'disabled' });
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const frames = 'iframe.webview.ready[src*="extensionId=open-notebook.open-notebook"]:visible';
/**
 * Condition of a page's container over an editor. The address of the page isn't enough, because VS Code can show a view
 * again without the part that says so.
 */
const isOverEditor = '@id = //*[starts-with(@id, "webview-editor-element")]/@aria-flowto';

/** Returns the page of this extension in the active tab. */
export function tabPage(page: Page): FrameLocator {
  return pageIn(page.locator(`xpath=//div[${isOverEditor}]`));
}

/** Returns the page of this extension in a view, if only one is shown. */
export function viewPage(page: Page): FrameLocator {
  return pageIn(page.locator(`xpath=//div[not(${isOverEditor})]`));
}

function pageIn(containers: Locator): FrameLocator {
  return containers.locator(`> ${frames}`).contentFrame().frameLocator('#active-frame');
}
