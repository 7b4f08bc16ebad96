import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { Quiz, QuizEntry, QuizQuestion } from '../../notebook/cards.ts';
import { NotebookError } from '../../notebook/errors.ts';
import type { Row } from './database.ts';
import { readOptionalJson } from './stored-json.ts';
import { storedQuestions, storedReplies } from './stored-cards.ts';
import type { Statements } from './statements.ts';
import { forbidReadersThing } from './team-rights.ts';

/** The quizzes of a notebook with the choices that were made in them, in its database. */
export class Quizzes {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The last made first. */
  list(): QuizEntry[] {
    return this.#sql.all('SELECT * FROM quizzes ORDER BY made_at DESC, rowid DESC').flatMap((row) => {
      const quiz = toQuiz(row);
      if (quiz === undefined) return [];
      const { id, title, questions, replies } = quiz;
      const answered = replies.filter((reply) => reply !== null).length;
      const right = replies.filter(
        (reply, index) => reply !== null && questions[index]?.right === reply,
      ).length;
      return [{ id, title, questions: questions.length, answered, right }];
    });
  }

  add(title: string, questions: readonly QuizQuestion[]): string {
    const id = randomUUID();
    this.#sql.write(
      'INSERT INTO quizzes (id, title, questions, replies, made_at) VALUES (?, ?, ?, ?, ?)',
      ...[id, title, JSON.stringify(questions), '[]', Date.now()],
    );
    return id;
  }

  /** @throws NotebookError `not-found` */
  open(quizId: string): Quiz {
    const row = this.#sql.get('SELECT * FROM quizzes WHERE id = ?', quizId);
    const quiz = row && toQuiz(row);
    if (quiz === undefined) throw new NotebookError('not-found', t('This quiz is not there any more.'));
    return quiz;
  }

  /** Keeps a choice, or begins anew without one. @throws NotebookError `not-found` */
  reply(
    quizId: string,
    given: { readonly question: number; readonly choice: number | undefined } | undefined,
  ): void {
    this.#sql.transaction(() => {
      const { questions, replies } = this.open(quizId);
      const kept = questions.map((_, index) =>
        given === undefined
          ? null
          : index === given.question
            ? (given.choice ?? null)
            : (replies[index] ?? null),
      );
      this.#sql.run('UPDATE quizzes SET replies = ? WHERE id = ?', JSON.stringify(kept), quizId);
    });
  }

  /** @throws NotebookError `forbidden` where it is a team's and the user may only read */
  remove(quizId: string): void {
    forbidReadersThing(this.#sql, 'quiz', quizId);
    this.#sql.write('DELETE FROM quizzes WHERE id = ?', quizId);
  }
}

/** Undefined where a newer version wrote what this one does not know. */
function toQuiz(row: Row): Quiz | undefined {
  const questions = readOptionalJson(storedQuestions, row['questions']);
  return (
    questions && {
      id: String(row['id']),
      title: String(row['title']),
      questions,
      replies: readOptionalJson(storedReplies, row['replies']) ?? [],
    }
  );
}
