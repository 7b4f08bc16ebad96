import { harmlessRest } from './harmless-markdown.ts';

/** Stands for a mark where it is told what is code: no mark may hold what it does not. */
const LINK = ' [1](citation/0000000000000000)';

/**
 * Shows Markdown from elsewhere part by part, each followed by a mark of ours: a link, or words, which may lead
 * to commands. The parts load and run nothing, alone or together.
 */
export function growingMarkdown(): (part: string, mark: string) => string {
  let told = '';
  return (part, mark) => {
    const words = part.trimEnd();
    const space = part.slice(words.length);
    // On its last line a mark would keep a fence open.
    const isFenced = mark !== '' && /(?:`{3}|~{3})$/.test(words);
    const end = isFenced ? `\n\n${mark.trim()}` : mark;
    const from = told.length;
    told += words;
    const shown = harmlessRest(told, from);
    told += (mark === '' ? '' : isFenced ? `\n\n${LINK.trim()}` : LINK) + space;
    return shown + end + space;
  };
}
