// Fixtures for skills: a small notebook in memory with a source for each document.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { Product } from '../../src/features/research/model/project.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { callSkill, type CalledSkill } from '../../src/features/research/service/skills/call-skill.ts';
import { primitiveSkills } from '../../src/features/research/service/skills/skill-library.ts';
import type { SkillNotebook, SkillParts } from '../../src/features/research/service/skills/skill-parts.ts';
import { readComposedSkill } from '../../src/features/research/service/skills/skill-file.ts';
import type { ComposedSkill, Skill, SkillContext } from '../../src/features/research/service/skills/skill.ts';
import { makeSource } from '../support/made-source.ts';
import { root } from '../support/paths.mjs';
import { makeNotebook, type TestDocument } from './answering-fixtures.ts';

export function toSource({ id, title }: TestDocument): Source {
  return makeSource(`source-${String(id)}`, title);
}

/** Returns the notebook functions that primitive skills need. Lines that begin with # are headings. */
function skillNotebook(documents: readonly TestDocument[]): SkillNotebook {
  return {
    documents: (sourceId) =>
      Promise.resolve(
        documents
          .filter((document) => toSource(document).id === sourceId)
          .map(({ id, title }) => ({
            id,
            sourceId,
            key: '',
            title,
            uri: '',
            mediaType: 'text/markdown',
            passages: 1,
            readAt: 0,
            warnings: [],
            byline: undefined,
          })),
      ),
    outlines: (ids) =>
      Promise.resolve(
        documents
          .filter(({ id }) => ids.includes(id))
          .map(({ id, title, text }) => ({
            documentId: id,
            title,
            headings: [...text.matchAll(/^(#+) (.*)$/gm)].map(({ index, 1: marks, 2: words }) => ({
              offset: index,
              level: marks!.length,
              title: words!,
            })),
          })),
      ),
    document: (documentId) => {
      const document = documents.find(({ id }) => id === documentId);
      return Promise.resolve(
        document && { sourceId: toSource(document).id, title: document.title, text: document.text },
      );
    },
    finderIn: (sourceId) => makeNotebook(documents.filter((document) => toSource(document).id === sourceId)),
  };
}

const noModel: LanguageModel = {
  name: 'None',
  stream: () => {
    throw new Error('No model is asked.');
  },
};

export interface SkillWorld {
  readonly skills: readonly Skill[];
  readonly context: SkillContext;
  readonly call: (name: string, input?: Readonly<Record<string, unknown>>) => Promise<CalledSkill>;
}

export function skillWorld(
  documents: readonly TestDocument[],
  parts: Partial<SkillParts> = {},
  materials: readonly Product[] = [],
): SkillWorld {
  const skills = primitiveSkills({ notebook: skillNotebook(documents), ...parts });
  const context: SkillContext = {
    finder: makeNotebook(documents),
    sources: () => Promise.resolve(documents.map(toSource)),
    materials,
    model: noModel,
    signal: new AbortController().signal,
  };
  return { skills, context, call: (name, input = {}) => callSkill(skills, { name, input }, context) };
}

/** Returns the composed skills that are included in the product. */
export function shippedSkills(): readonly ComposedSkill[] {
  const folder = join(root, 'media', 'skills');
  return readdirSync(folder).map((file) =>
    readComposedSkill(readFileSync(join(folder, file), 'utf8'), file.replace(/\.md$/, '')),
  );
}
