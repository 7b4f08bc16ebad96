import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import {
  QUIZ_MAKERS,
  repliesAfter,
  type Quiz,
  type QuizEntry,
  type QuizOrigin,
  type QuizQuestion,
} from '../model.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Row } from '../../../index/store/database/database.ts';
import { differences } from '../../artifacts/store/document-versions.ts';
import {
  readOptionalJson,
  storedDocumentVersions,
  storedTexts,
} from '../../../index/store/database/stored-json.ts';
import { storedQuestions, storedReplies } from './stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { forbidReadersEntity } from '../../../index/store/database/team-rights.ts';

/** Quizzes of a notebook with the user's answers, in its database. */
export class Quizzes {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Returns all quizzes, the latest first. */
  list(): QuizEntry[] {
    const difference = differences(this.#sql);
    return this.#sql.all('SELECT * FROM quizzes ORDER BY made_at DESC, rowid DESC').flatMap((row) => {
      const quiz = toQuiz(row);
      if (quiz === undefined) return [];
      const { id, title, origin, questions, replies } = quiz;
      const answered = replies.filter((reply) => reply !== null).length;
      const right = replies.filter(
        (reply, index) => reply !== null && questions[index]?.right === reply,
      ).length;
      return [
        { id, title, questions: questions.length, answered, right, difference: origin && difference(origin) },
      ];
    });
  }

  /** Adds a quiz without answers; returns its ID. */
  add({
    title,
    origin,
    questions,
  }: {
    readonly title: string;
    readonly origin?: QuizOrigin | undefined;
    readonly questions: readonly QuizQuestion[];
  }): string {
    const id = randomUUID();
    this.#sql.write(
      `INSERT INTO quizzes (id, title, questions, replies, made_at, source_ids, made_of, maker)
       VALUES (?, ?, ?, '[]', ?, ?, ?, ?)`,
      ...[id, title, JSON.stringify(questions), Date.now(), ...originColumns(origin)],
    );
    return id;
  }

  /**
   * Replaces the questions of a quiz, and its origin unless that is undefined. Answers stay with their questions.
   * @throws NotebookError `conflict` if the questions differ from `before`, `not-found`
   */
  replace(
    quizId: string,
    before: readonly QuizQuestion[],
    questions: readonly QuizQuestion[],
    origin: QuizOrigin | undefined,
  ): void {
    this.#sql.transaction(() => {
      const quiz = this.open(quizId);
      if (!isDeepStrictEqual(quiz.questions, before))
        throw new NotebookError(
          'conflict',
          t(
            'The quiz wasn’t updated because it changed in the meantime. Select “Update from Sources” again.',
          ),
        );
      this.#sql.run(
        'UPDATE quizzes SET questions = ?, replies = ?, source_ids = ?, made_of = ?, maker = ? WHERE id = ?',
        ...[JSON.stringify(questions), JSON.stringify(repliesAfter(quiz, questions))],
        ...[...originColumns(origin ?? quiz.origin), quizId],
      );
    });
  }

  /**
   * Returns the sources that the questions of a quiz cite.
   * @throws NotebookError `not-found`
   */
  citedSources(quizId: string): string[] {
    const cited = new Set(this.open(quizId).questions.flatMap(({ citation }) => citation?.documentId ?? []));
    return this.#sql.texts(
      'SELECT DISTINCT source_id FROM documents WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify([...cited]),
    );
  }

  /** @throws NotebookError `not-found` */
  open(quizId: string): Quiz {
    const row = this.#sql.get('SELECT * FROM quizzes WHERE id = ?', quizId);
    const quiz = row && toQuiz(row);
    if (quiz === undefined) throw new NotebookError('not-found', t('This quiz no longer exists.'));
    return quiz;
  }

  /** Saves the selected choice. Without a choice, clears all answers. @throws NotebookError `not-found` */
  reply(
    quizId: string,
    reply: { readonly question: number; readonly choice: number | undefined } | undefined,
  ): void {
    this.#sql.transaction(() => {
      const { questions, replies } = this.open(quizId);
      const savedReplies = questions.map((_, index) =>
        reply === undefined
          ? null
          : index === reply.question
            ? (reply.choice ?? null)
            : (replies[index] ?? null),
      );
      this.#sql.run('UPDATE quizzes SET replies = ? WHERE id = ?', JSON.stringify(savedReplies), quizId);
    });
  }

  /** @throws NotebookError `forbidden` if it belongs to a team and the user can only view it */
  remove(quizId: string): void {
    forbidReadersEntity(this.#sql, 'quiz', quizId);
    this.#sql.write('DELETE FROM quizzes WHERE id = ?', quizId);
  }
}

/** Converts a row to a quiz; undefined if a newer version wrote unknown values. */
function toQuiz(row: Row): Quiz | undefined {
  const questions = readOptionalJson(storedQuestions, row['questions']);
  return (
    questions && {
      id: String(row['id']),
      title: String(row['title']),
      origin: toQuizOrigin(row),
      questions,
      replies: readOptionalJson(storedReplies, row['replies']) ?? [],
    }
  );
}

function toQuizOrigin(row: Row): QuizOrigin | undefined {
  const documents = readOptionalJson(storedDocumentVersions, row['made_of']);
  const maker = QUIZ_MAKERS.find((candidate) => candidate === row['maker']);
  return documents === undefined || maker === undefined
    ? undefined
    : { sourceIds: readOptionalJson(storedTexts, row['source_ids']), documents, maker };
}

function originColumns(origin: QuizOrigin | undefined): (string | null)[] {
  if (origin === undefined) return [null, null, null];
  const { sourceIds, documents, maker } = origin;
  return [sourceIds === undefined ? null : JSON.stringify(sourceIds), JSON.stringify(documents), maker];
}
