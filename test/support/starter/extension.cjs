/* global TextDecoder, setTimeout */
// Shows the notebook's views for `npm start`, and First Steps at the very first start. It isn't part of the
// extension, which opens nothing uninvited.
const vscode = require('vscode');

/** A step of First Steps, by VS Code's name of it. */
const STEP = 'open-notebook.open-notebook#firstSteps#add';

/** Time limit for VS Code to register a walkthrough, and then the polling interval, in milliseconds. */
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
 * Reads and deletes the views that a start requests, so that a reload shows what the user left there.
 * @returns {Promise<boolean | undefined>} whether First Steps is wanted; undefined if nothing is requested
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

/** Reports whether VS Code has registered First Steps. Until then it would open its own walkthrough instead. */
async function isKnown() {
  try {
    // At a first start no step is complete. For an unknown step the command throws.
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
