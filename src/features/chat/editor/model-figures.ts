import * as vscode from 'vscode';
import type { QuestionInput } from '../../../answers/question/question-input.ts';
import type { DrawnFigure, FigureLimits } from '../../../core/rpc/figure.ts';
import type { RequestedFigure, Citation } from '../../../core/domain/answer.ts';
import { errorMessage, isCanceled } from '../../../core/domain/errors.ts';
import type { DrawFigure } from '../../notes/editor/note-exporter.ts';
import { showsFigures } from '../../../platform/settings.ts';

/** Storage key of the receivers that the user agreed to send figures to. */
const KEY = 'figuresAgreed';

/** Models scale down larger images; base64 adds a third. */
const LIMITS: FigureLimits = { longestSide: 1_568, bytes: 1_500_000 };

/** Receiver of figures. */
export interface FigureReceiver {
  /** Name that the user knows: a URL, or the provider of the editor's model. */
  readonly to: string;
  /** `true` if it may cost money. */
  readonly isMetered: boolean;
}

/** Shows models the figures that questions need. Models that may cost money need the user's consent. */
export class ModelFigures {
  readonly #globalState: vscode.Memento;
  readonly #draw: DrawFigure;

  /** `memento` is storage that all windows and notebooks share. */
  constructor(memento: vscode.Memento, draw: DrawFigure) {
    this.#globalState = memento;
    this.#draw = draw;
  }

  /**
   * Returns a function that shows figures to a receiver; undefined if figures are off or the workspace isn't trusted.
   */
  shower({ to, isMetered }: FigureReceiver): QuestionInput['showFigures'] {
    if (!showsFigures() || !vscode.workspace.isTrusted) return undefined;
    return async (citations, signal) => {
      const figures = citations.map(toRequestedFigure);
      if (isMetered && !this.#readConsents().includes(to))
        return { outcome: { kind: 'offered', figures, to }, images: [] };
      try {
        const drawn: DrawnFigure[] = [];
        for (const citation of citations) {
          const figure = await this.#draw(citation, LIMITS, signal);
          if (figure === undefined) return undefined;
          drawn.push(figure);
        }
        return {
          outcome: {
            kind: 'sent',
            figures: drawn.map(({ width, height, bytes }, i) => ({
              ...(figures[i] ?? { name: '', title: '', place: '' }),
              width,
              height,
              bytes: bytes.length,
            })),
          },
          images: drawn.map(({ mediaType, bytes }) => ({
            mediaType,
            base64: Buffer.from(bytes).toString('base64'),
          })),
        };
      } catch (error) {
        if (isCanceled(error)) throw error;
        const reason = errorMessage(error);
        return { outcome: { kind: 'undrawn', figures, reason }, images: [] };
      }
    };
  }

  /** Records the user's consent to send figures to a receiver. */
  async agree(to: string): Promise<void> {
    await this.#globalState.update(KEY, [...new Set([...this.#readConsents(), to])]);
  }

  #readConsents(): readonly string[] {
    return this.#globalState.get<readonly string[]>(KEY, []);
  }
}

function toRequestedFigure({ title, place, figure }: Citation): RequestedFigure {
  return { name: figure?.name ?? '', title, place };
}
