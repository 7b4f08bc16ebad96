import { errorMessage } from '../../src/core/domain/errors.ts';
import { t } from '@vscode/l10n';
import katex from 'katex';

/** Maximum length of drawn TeX, in UTF-16 code units. Longer TeX stays plain, so that drawing never blocks. */
const MAX_LENGTH = 5_000;

/** Drawn formula, or a sentence that explains why it can't be drawn. */
export type DrawnFormula = { readonly element: HTMLElement } | { readonly problem: string };

/** Draws a formula. It can't load or link to anything, and its size and work are limited. */
export function drawFormula(tex: string, isDisplayed: boolean): DrawnFormula {
  if (tex.length > MAX_LENGTH) return { problem: t('Can’t show this formula because it’s too long.') };
  const element = document.createElement('span');
  try {
    katex.render(tex, element, {
      displayMode: isDisplayed,
      output: 'htmlAndMathml',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      // Untrusted commands appear in the text color.
      errorColor: 'currentColor',
      maxExpand: 500,
      maxSize: 20,
    });
  } catch (error) {
    if (error instanceof RangeError)
      return { problem: t('Can’t show this formula because it’s nested too deeply.') };
    return {
      problem: t('Can’t show this formula: {0}', errorMessage(error)),
    };
  }
  return { element };
}
