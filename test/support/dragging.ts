// Drags like a mouse, and drops files from outside the window like a file manager.
import { expect, type Locator } from '@playwright/test';
import type { Workbench } from './workbench.ts';

/** Options of a drop, which holds Shift if VS Code requires it for pages. */
interface Dropping {
  readonly shift?: boolean;
  /** Checks, while the drag is over the target, that it shows a drop is possible. Retried if it throws. */
  readonly above?: () => Promise<void>;
}

/** The bit of the Shift key among a drag event's modifiers. */
const SHIFT = 8;

/** Copy, link, and move, which file managers offer to the drop target. */
const ANY_OPERATION = 1 | 2 | 16;

/** Returns the center of an element, in the window. */
async function findCenter(element: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('What is dragged or dropped on is not there.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags a file or folder from the explorer over the notebook's icon, which opens its views, to a place in them. */
export async function dragFromExplorer(
  workbench: Workbench,
  name: string,
  place: Locator,
  { shift = false, above }: Dropping = {},
): Promise<void> {
  const { mouse, keyboard } = workbench.page;
  await workbench.showExplorer();
  const from = await findCenter(workbench.file(name));
  await mouse.move(from.x, from.y);
  await mouse.down();
  const icon = workbench.containerTab(/^Open Notebook/);
  const over = await findCenter(icon);
  await mouse.move(over.x, over.y, { steps: 5 });
  await expect(async () => {
    // A view opens if the drag stays over it and keeps moving.
    await mouse.move(over.x + 1, over.y);
    await mouse.move(over.x, over.y);
    await expect(icon).toHaveAttribute('aria-selected', 'true', { timeout: 200 });
  }).toPass({ intervals: [100] });
  if (shift) await keyboard.down('Shift');
  const to = await findCenter(place);
  await mouse.move(to.x, to.y, { steps: 5 });
  await expect(async () => {
    await mouse.move(to.x + 1, to.y);
    await mouse.move(to.x, to.y);
    await above?.();
  }).toPass({ intervals: [100] });
  await mouse.up();
  if (shift) await keyboard.up('Shift');
}

/** Drop from outside the window: files and folders of this machine, and texts by type. */
interface FromOutside {
  readonly files?: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
}

/** Drops items on a place, as from a file manager or another program. */
export async function dropFromOutside(
  { page }: Workbench,
  { files = [], texts = {} }: FromOutside,
  place: Locator,
  { shift = false, above }: Dropping = {},
): Promise<void> {
  // The pointer comes from outside, so that no hover covers the target.
  await page.mouse.move(0, 0);
  await expect(page.locator('.monaco-hover:visible')).toHaveCount(0);
  const devtools = await page.context().newCDPSession(page);
  const { x, y } = await findCenter(place);
  const items = Object.entries(texts).map(([mimeType, data]) => ({ mimeType, data }));
  const data = { items, files: [...files], dragOperationsMask: ANY_OPERATION };
  const modifiers = shift ? SHIFT : 0;
  const send = (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<unknown> =>
    devtools.send('Input.dispatchDragEvent', { type, x, y, data, modifiers });
  await send('dragEnter');
  await expect(async () => {
    await send('dragOver');
    await above?.();
  }).toPass({ intervals: [100] });
  await send('drop');
  await devtools.detach();
}

/** Drags the edge of the side bar to about this width in CSS pixels, or its minimum. */
export async function dragSideBar({ page }: Workbench, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  const { x, width: before } = box ?? { x: 0, width: 0 };
  const { mouse } = page;
  await mouse.move(x + before, 450);
  await mouse.down();
  await mouse.move(x + width, 450, { steps: 4 });
  await mouse.up();
}
