import * as vscode from 'vscode';
import PQueue from 'p-queue';
import type { Passwords } from './with-password.ts';
import { askForSecret, showInformation } from '../../../platform/dialogs.ts';
import { lastSegment } from '../../../platform/workspace-files.ts';

const secretName = (file: string): string => `pdfPassword:${file}`;

/**
 * Passwords of encrypted PDFs, by URI. The user enters them; they are stored only in VS Code's secret storage, if at
 * all.
 */
export class PdfPasswords implements Passwords {
  readonly #secrets: vscode.SecretStorage;
  /** A second input box would close the first. */
  readonly #boxes = new PQueue({ concurrency: 1 });

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** Returns the stored password of a file, by its URI. */
  async findPassword(file: string): Promise<string | undefined> {
    return this.#secrets.get(secretName(file));
  }

  /** Deletes the stored password of a file. */
  async forget(file: string): Promise<void> {
    await this.#secrets.delete(secretName(file));
  }

  /** Asks the user for a file's password; undefined if they entered none, or the signal was aborted. */
  async ask(file: string, wasWrong: boolean, signal: AbortSignal): Promise<string | undefined> {
    const name = lastSegment(vscode.Uri.parse(file));
    return this.#boxes.add(async () => {
      const password = await askForSecret(
        {
          title: vscode.l10n.t('Password for {0}', name),
          prompt: wasWrong
            ? vscode.l10n.t('This password doesn’t open {0}. Enter another password.', name)
            : vscode.l10n.t(
                '{0} is password-protected. Open Notebook uses the password only to open this file.',
                name,
              ),
        },
        signal,
      );
      return password === '' ? undefined : password;
    });
  }

  /** Offers to store the password that opened a file. */
  offerToKeep(file: string, password: string): void {
    const keep = vscode.l10n.t('Save Password');
    void showInformation(
      vscode.l10n.t(
        'Save the password for {0} in VS Code’s secret storage? Otherwise, you’re asked for it each time.',
        lastSegment(vscode.Uri.parse(file)),
      ),
      [keep, vscode.l10n.t('Don’t Save')],
    ).then(async (answer) => {
      if (answer === keep) await this.#secrets.store(secretName(file), password);
    });
  }
}

/** Passwords that one viewer tries on its PDF: first the stored one, then those that the user enters. */
export class PasswordOfOne {
  readonly #passwords: Passwords;
  readonly #file: string;
  readonly #closed: AbortSignal;
  #storedPassword: string | undefined;
  #enteredPassword: string | undefined;
  /** Entered password that opened the PDF, which may have to be opened again. */
  #validPassword: string | undefined;

  constructor(passwords: Passwords, file: string, closed: AbortSignal) {
    this.#passwords = passwords;
    this.#file = file;
    this.#closed = closed;
  }

  /** Returns the next password to try: the stored one, then the user's entry; undefined if the user gives up. */
  async next(wasWrong: boolean): Promise<string | undefined> {
    if (!wasWrong) {
      if (this.#validPassword !== undefined) return this.#validPassword;
      this.#storedPassword = await this.#passwords.findPassword(this.#file);
      if (this.#storedPassword !== undefined) return this.#storedPassword;
    } else if (this.#storedPassword !== undefined) await this.#passwords.forget(this.#file);
    this.#storedPassword = this.#validPassword = undefined;
    this.#enteredPassword = await this.#passwords.ask(this.#file, wasWrong, this.#closed);
    return this.#enteredPassword;
  }

  /** Records that the last tried password opened the file. */
  markOpened(): void {
    if (this.#enteredPassword === undefined) return;
    this.#passwords.offerToKeep(this.#file, this.#enteredPassword);
    this.#validPassword = this.#enteredPassword;
    this.#enteredPassword = undefined;
  }
}
