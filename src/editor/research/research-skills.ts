import { primitiveSkills } from '../../researching/skills/primitive.ts';
import type { SkillNotebook, TableBase } from '../../researching/skills/skill-parts.ts';
import type { Skill } from '../../researching/skills/skill.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { SourceAdder } from '../sources/add-sources.ts';
import { editorTools } from './editor-tools.ts';
import { pageOpener } from './page-opener.ts';
import { workspaceSkills } from './workspace-skills.ts';

interface SkillsParts {
  readonly notebook: NotebookClient;
  readonly asked: SkillNotebook;
  readonly adder: SourceAdder;
  readonly tables: TableBase;
}

/**
 * All skills that a research has in this window, the editor's tools that were ticked for it among them. Made anew for each
 * run of one: with them begins what the user is asked once.
 */
export function researchSkills(
  { notebook, asked, adder, tables }: SkillsParts,
  ticked: readonly string[],
): readonly Skill[] {
  return primitiveSkills({
    notebook: asked,
    tables,
    pages: pageOpener(notebook, adder),
    more: [...workspaceSkills({ notebook, adder }), ...editorTools(ticked)],
  });
}
