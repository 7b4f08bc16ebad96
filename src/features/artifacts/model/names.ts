import { t } from '@vscode/l10n';
import type { ArtifactKind } from '../../../core/domain/artifact.ts';

/** Name of an artifact, its description, and the message if the sources don't contain enough for it. */
interface ArtifactLabels {
  readonly name: string;
  readonly is: string;
  readonly empty: string;
}

/** Returns the name of an artifact, its description, and the message if the sources don't contain enough for it. */
export function artifactLabels(kind: ArtifactKind): ArtifactLabels {
  switch (kind) {
    case 'mindMap':
      return {
        name: t('Mind Map'),
        is: t('Headings of the sources as a tree. Select a heading to open its section.'),
        empty: t('These sources have no headings for a mind map. Choose other sources.'),
      };
    case 'conceptMap':
      return {
        name: t('Concept Map'),
        is: t('Key terms, linked if they appear together'),
        empty: t(
          'Terms don’t appear together often enough in these sources for a concept map. Choose more or longer sources.',
        ),
      };
    case 'matrix':
      return {
        name: t('Extraction Table'),
        is: t('Sources as rows, questions as columns, and a cited answer in each cell'),
        empty: t('There are no sources for an extraction table. Add sources first.'),
      };
    case 'glossary':
      return {
        name: t('Glossary'),
        is: t('Terms that the sources define, in their own words'),
        empty: t(
          'These sources define fewer than five terms, too few for a glossary. Choose other sources, or have a model write one.',
        ),
      };
    case 'timeline':
      return {
        name: t('Timeline'),
        is: t('Dated events from the sources, in chronological order'),
        empty: t(
          'No sentence in these sources says what happened on a date. Choose other sources, or have a model write a timeline.',
        ),
      };
    case 'index':
      return {
        name: t('Index'),
        is: t('Terms from A to Z with their locations, as in the back of a book'),
        empty: t(
          'No term appears often enough in these sources for an index. Choose more or longer sources.',
        ),
      };
    case 'tables':
      return {
        name: t('Collected Tables'),
        is: t('All tables in the sources. Tables of one series are merged.'),
        empty: t('These sources have no tables with named columns. Choose other sources.'),
      };
    case 'cloze':
      return {
        name: t('Cloze Cards'),
        is: t('Definitions with the term hidden, for you to fill in'),
        empty: t(
          'These sources define fewer than five terms, too few for cloze cards. Choose other sources, or generate flashcards with a model.',
        ),
      };
    case 'cards':
      return {
        name: t('Flashcards'),
        is: t('Study cards that come up for review just before you forget them'),
        empty: t(
          'These sources don’t define any terms for cards. Choose other sources, or pick a model that writes questions.',
        ),
      };
    case 'quiz':
      return {
        name: t('Quiz'),
        is: t('Multiple-choice questions with explanations of the answers'),
        empty: t(
          'These sources define too few terms for a quiz. Choose more sources, or pick a model that writes questions.',
        ),
      };
    case 'slides':
      return {
        name: t('Slides'),
        is: t('One slide per section, in Markdown for Marp'),
        empty: t(
          'These sources have no sections for slides. Choose other sources, or have a model write slides.',
        ),
      };
  }
}
