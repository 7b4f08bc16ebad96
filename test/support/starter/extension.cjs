/* global TextDecoder, setTimeout */
// What `npm start` shows beside the folder: the notebook's views, and at the very first start First Steps. It is no
// part of the extension, which forces itself upon nobody.
const vscode = require('vscode');

/** A step of First Steps, by VS Code's name of it. */
const STEP = 'open-notebook.open-notebook#firstSteps#add';

/** How long VS Code may take to know of a walkthrough, and how often it is asked, in milliseconds. */
const PATIENCE = 60_000;
const PAUSE = 250;

exports.activate = async (/** @type {vscode.ExtensionContext} */ context) => {
  const wish = vscode.Uri.joinPath(context.globalStorageUri, 'wish.json');
  const firstSteps = await take(wish);
  if (firstSteps === undefined) return;
  await vscode.commands.executeCommand('workbench.view.extension.openNotebook');
  if (firstSteps) await showFirstSteps();
};

/**
 * What a start wants to be shown, once: a reload of the window shows what the user left there.
 * @returns {Promise<boolean | undefined>} whether First Steps is wanted; undefined where nothing is, any more
 */
async function take(/** @type {vscode.Uri} */ wish) {
  try {
    const { firstSteps } = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(wish)));
    await vscode.workspace.fs.delete(wish);
    return firstSteps;
  } catch {
    return undefined;
  }
}

async function showFirstSteps() {
  for (const end = Date.now() + PATIENCE; Date.now() < end && !(await isKnown());) await passed(PAUSE);
  await vscode.commands.executeCommand('openNotebook.openWalkthrough');
}

/** Whether VS Code knows of First Steps, in the place of which it opens a walkthrough of its own until then. */
async function isKnown() {
  try {
    // At a first start no step is complete; of one that is not known it throws.
    await vscode.commands.executeCommand('welcome.markStepIncomplete', STEP);
    return true;
  } catch {
    return false;
  }
}

/** @returns {Promise<void>} */
function passed(/** @type {number} */ milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
