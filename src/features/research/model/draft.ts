import type { PassagePlace } from '../../../core/domain/passage.ts';

/*
 * Draft of a person for a step: Markdown with marks such as `[1]`, and below it one line with the definition of each:
 *
 *     Tomatoes are watered every second morning [1].
 *
 *     [1]: passage:12/340-560 "garden.md, L3"
 */

/** Passage that a draft cites. */
export interface SelectedPassage extends PassagePlace {
  /** Shown title and location. */
  readonly label: string;
}

export interface Draft {
  /** Text without the lines that define the passages. */
  readonly text: string;
  /** Passages in the order of their numbers, from `[1]` on. */
  readonly picked: readonly SelectedPassage[];
}

/** Maximum number of passages in a draft. */
export const MAX_SELECTED_PASSAGES = 99;

const DEFINITION = /^\[(\d{1,2})\]: passage:(\d{1,15})\/(\d{1,15})-(\d{1,15})(?: "([^"]{0,500})")?[ \t]*$/;

/** Parses a stored draft. Lines that don't define a passage are part of its text. */
export function readDraft(draft: string): Draft {
  const lines = draft.split('\n');
  const byNumber = new Map<number, SelectedPassage>();
  let end = lines.length;
  for (; end > 0; end--) {
    const line = lines[end - 1] ?? '';
    const [, number, documentId, start, stop, label = ''] = DEFINITION.exec(line) ?? [];
    if (number === undefined) {
      if (line.trim() !== '' || byNumber.size === 0) break;
      continue;
    }
    const span = { start: Number(start), end: Number(stop) };
    byNumber.set(Number(number), { documentId: Number(documentId), span, label });
  }
  const text = lines.slice(0, end).join('\n');
  const picked: SelectedPassage[] = [];
  for (let number = 1; byNumber.has(number); number++) {
    const passage = byNumber.get(number);
    if (passage !== undefined) picked.push(passage);
  }
  return byNumber.size === 0 ? { text: draft, picked } : { text, picked };
}

/** Returns a draft in its stored form. */
export function writeDraft({ text, picked }: Draft): string {
  if (picked.length === 0) return text;
  const lines = picked.map(({ documentId, span, label }, index) => {
    const words = label.replaceAll(/["\s]+/g, ' ').slice(0, 500);
    return `[${String(index + 1)}]: passage:${String(documentId)}/${String(span.start)}-${String(span.end)} "${words}"`;
  });
  return `${text.trimEnd()}\n\n${lines.join('\n')}`;
}

/**
 * Returns a draft with a citation of a passage at an offset of its text, and the offset after the mark. A passage that
 * the draft already has keeps its number.
 */
export function citePassage(
  draft: Draft,
  passage: SelectedPassage,
  at: number,
): Draft & { readonly at: number } {
  const known = draft.picked.findIndex(
    ({ documentId, span }) =>
      documentId === passage.documentId && span.start === passage.span.start && span.end === passage.span.end,
  );
  if (known < 0 && draft.picked.length >= MAX_SELECTED_PASSAGES) return { ...draft, at };
  const number = known < 0 ? draft.picked.length + 1 : known + 1;
  const before = draft.text.slice(0, at);
  const after = draft.text.slice(at);
  const gap = before === '' || /\s$/.test(before) ? '' : ' ';
  const mark = `${gap}[${String(number)}]`;
  return {
    text: before + mark + after,
    picked: known < 0 ? [...draft.picked, passage] : draft.picked,
    at: at + mark.length,
  };
}

/** Returns the draft without one of its passages and its marks, with the following passages renumbered. */
export function withoutPassage({ text, picked }: Draft, index: number): Draft {
  return {
    text: text.replaceAll(/[ \t]?\[(\d{1,2})\](?![:(])/g, (mark, digits: string) => {
      const number = Number(digits);
      if (number > picked.length || number <= index) return mark;
      return number === index + 1 ? '' : mark.replace(digits, String(number - 1));
    }),
    picked: picked.toSpliced(index, 1),
  };
}
