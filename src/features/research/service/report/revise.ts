import { t } from '@vscode/l10n';
import { cutBlocks } from '../../../../core/language/sentences.ts';
import type { Citation, Statement } from '../../../../core/domain/answer.ts';
import { citationLinks } from '../../../../core/domain/citation-links.ts';
import { NotebookError } from '../../../../core/domain/errors.ts';
import { bodyAsNote, continueLabels } from '../../../../core/domain/note-markdown.ts';
import type { StoredCitation } from '../../../../core/domain/note.ts';
import { withoutVerdictMarks, withVerdictFootnotes } from '../../../../core/domain/verdict-marks.ts';
import { ALL_SOURCES, ANY_QUANTITY, type BoardStep, type Holder, type Product } from '../../model/project.ts';
import type { Skill } from '../skills/skill.ts';
import type { WorkContext } from '../work/asking.ts';
import { applyEdits, type CitedText } from '../../../../answers/writing/cited-text.ts';
import { doStep } from '../work/do-step.ts';
import { cutSections, type Section } from './headings.ts';

/** Note that contains a report. */
export interface ReportNote {
  readonly text: string;
  readonly citations: readonly StoredCitation[];
}

/** Block of a section before and after its revision. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'same';
  readonly text: string;
}

/** Note with a revised section, and the changes. */
export interface Revision extends ReportNote {
  readonly before: string;
  readonly after: string;
  /** Changes in order. */
  readonly changes: readonly Change[];
  /** Sentences of the new section without support that were removed or marked. */
  readonly cut: readonly string[];
}

const REVISE: Skill = {
  name: 'revise',
  description: 'Revises a section of a report.',
  guide:
    'The material is a section of a report. Hand in the whole section as it is to be, without its heading: change what the comment asks for, and leave every other sentence as it stands, with its numbers.',
};

interface RevisionInput {
  readonly context: WorkContext;
  readonly note: ReportNote;
  /** Index of the section among those of `cutSections`. */
  readonly section: number;
  readonly comment: string;
  /** Names of the skills that the model can use. */
  readonly tools: readonly string[];
  readonly holder: Holder;
}

/**
 * Asks a model to revise one section of a report based on a comment. Checks the result like any product, and leaves the
 * rest of the note unchanged.
 * @throws NotebookError if there is no such section, or the submitted text can't be used
 */
export async function reviseSection({
  context,
  note,
  section: place,
  comment,
  tools,
  holder,
}: RevisionInput): Promise<Revision> {
  const section = cutSections(note.text)[place];
  if (section === undefined)
    throw new NotebookError('not-found', t('This section is no longer in the note. Choose another section.'));
  const before = note.text.slice(section.body, section.end);
  const material: Product = {
    id: 'section',
    // The section is checked again, so earlier verdicts would only mislead the model.
    ...toCitedText(withoutVerdictMarks(before), note.citations),
    check: { claims: 0, supported: 0, partly: 0, cut: [] },
    createdBy: holder,
    createdAt: context.services.now(),
  };
  const services = {
    ...context.services,
    library: { ...context.services.library, skills: [...context.services.library.skills, REVISE] },
  };
  const outcome = await doStep({
    context: { ...context, services },
    claim: { step: stepFor(section, comment, tools), materials: [material] },
    research: { steps: [], parts: [], comments: [] },
    holder,
    onSentBack: () => Promise.resolve(),
  });
  if (outcome.kind === 'failed') throw new NotebookError('unsupported', outcome.reason);
  const { product } = outcome;
  const part = asNotePart(product, note, context.services);
  const [begin, end] = [before.length - before.trimStart().length, before.trimEnd().length];
  const after = before.slice(0, begin) + part.text.trim() + before.slice(Math.max(begin, end));
  const text = withVerdictFootnotes(note.text.slice(0, section.body) + after + note.text.slice(section.end));
  const known = new Set(note.citations.map(({ id }) => id));
  return {
    text,
    citations: [...note.citations, ...part.citations.filter(({ id }) => !known.has(id))],
    before,
    after,
    changes: changesBetween(before, after),
    cut: product.check.cut,
  };
}

function stepFor({ title }: Section, comment: string, tools: readonly string[]): BoardStep {
  return {
    id: 'revise',
    action: REVISE.name,
    target: `Revise the section “${title}” by this comment: ${comment}`,
    materials: ['section', ...(tools.length > 0 ? [ALL_SOURCES] : [])],
    tools,
    produces: 'revised-section',
    quantity: ANY_QUANTITY,
    state: 'in-progress',
    holder: undefined,
    heldUntil: undefined,
    waitsFor: [],
    attempts: 0,
    reason: undefined,
    draft: '',
    sameAs: undefined,
    startedAt: undefined,
    endedAt: undefined,
  };
}

/** Returns a part of a note without its links, which become citations of the sentences before them. */
function toCitedText(text: string, stored: readonly StoredCitation[]): CitedText {
  const byId = new Map(stored.map(({ id, citation }) => [id, citation]));
  const citations: Citation[] = [];
  const statements: Statement[] = [];
  const links = citationLinks(text).filter(({ id }) => byId.has(id));
  let from = 0;
  for (const { start, id } of links) {
    const citation = byId.get(id);
    if (citation === undefined) continue;
    const between = text.slice(from, start).trimEnd();
    const isBehindOther = /^[ \t]*(?:\[[^\]]*\]\([^)]*\)[ \t]*)*$/.test(text.slice(from, start));
    const last = statements.at(-1);
    const index = citations.push(citation) - 1;
    if (isBehindOther && last !== undefined)
      statements[statements.length - 1] = { ...last, citations: [...last.citations, index] };
    else
      statements.push({ start: from, end: from + between.length, verdict: 'supported', citations: [index] });
    from = start;
  }
  const edits = links.map(({ start, end }) => {
    let blanks = 0;
    while (text[start - blanks - 1] === ' ' || text[start - blanks - 1] === '\t') blanks++;
    return { start: start - blanks, end, text: '' };
  });
  return applyEdits({ text, statements, citations }, edits);
}

/** Formats a product as part of a note. Existing citations keep their numbers. */
function asNotePart(
  product: Product,
  note: ReportNote,
  { model, verdictMarks }: Pick<WorkContext['services'], 'model' | 'verdictMarks'>,
): ReturnType<typeof bodyAsNote> {
  const { text, statements, citations } = product;
  const answer = { kind: 'written' as const, model: model.name, text, statements, citations };
  return bodyAsNote(answer, verdictMarks, continueLabels(note.text));
}

/** Maximum number of compared blocks per text. With more, the whole text counts as changed. */
const MAX_BLOCKS = 400;

/** Compares two texts by blocks: paragraphs, items, rows, and headings that are unchanged, removed, or added. */
export function changesBetween(before: string, after: string): Change[] {
  const [a, b] = [splitBlocks(before), splitBlocks(after)];
  if (a.length > MAX_BLOCKS || b.length > MAX_BLOCKS)
    return [
      ...a.map((text) => ({ kind: 'removed' as const, text })),
      ...b.map((text) => ({ kind: 'added' as const, text })),
    ];
  // Lengths of the longest common subsequences of blocks, computed from the end.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [old, fresh] = [a[i], b[j]];
    if (old !== undefined && old === fresh) {
      changes.push({ kind: 'same', text: old });
      i++;
      j++;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ kind: 'removed', text: old });
      i++;
    } else {
      changes.push({ kind: 'added', text: fresh ?? '' });
      j++;
    }
  }
  return changes;
}

function splitBlocks(text: string): string[] {
  return cutBlocks(text).map(({ start, end }) => text.slice(start, end).trim());
}
