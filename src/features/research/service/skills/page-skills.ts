import * as v from 'valibot';
import { NotebookError } from '../../../../core/domain/errors.ts';
import { checkedSkill } from './checked-skill.ts';
import { passagesAsResult } from './reading-skills.ts';
import type { PageOpener, SkillNotebook } from './skill-parts.ts';
import type { Skill, SkillResult } from './skill.ts';

/** Maximum number of passages to return from an opened page. */
const FIRST_PASSAGES = 5;

/** Maximum length of an address, in characters, so that a dialog can show all of it. */
const MAX_ADDRESS_CHARACTERS = 500;

const address = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(MAX_ADDRESS_CHARACTERS),
  v.url(),
  v.regex(/^https?:\/\//i),
  v.description('URL that begins with https:// or http://.'),
);

/**
 * Returns the skills that read the web. Asks the user about each address once, because a model that follows injected
 * instructions can put words of the notebook into it. Doesn't ask again about a host that the user refused.
 */
export function pageSkills(notebook: SkillNotebook, pages: PageOpener): readonly Skill[] {
  const answers = new Map<string, Promise<boolean>>();
  const refused = new Set<string>();
  const open = async (url: string, what: 'page' | 'site', signal: AbortSignal): Promise<SkillResult> => {
    const { host, href } = new URL(url);
    let answer = refused.has(host) ? Promise.resolve(false) : answers.get(href);
    if (answer === undefined) {
      answer = pages.mayOpen(href, signal);
      answers.set(href, answer);
      // A canceled question wasn't answered, so ask again.
      answer.catch(() => answers.delete(href));
    }
    if (!(await answer)) {
      refused.add(host);
      throw new NotebookError('forbidden', `The user didn’t allow access to ${host}. Continue without it.`);
    }
    const source = await pages.open(url, what, signal);
    const passages = await notebook.finderIn(source.id).overview('', FIRST_PASSAGES);
    const result = passagesAsResult(passages);
    return {
      ...result,
      text: `${url} is now a source with the title ${JSON.stringify(source.title)}. Search in it.\n${result.text}`,
    };
  };
  return [
    checkedSkill({
      name: 'open-page',
      description: 'Reads a web page by its URL and adds it to the sources.',
      guide:
        'Open the page that the step names, read it, and submit what it says about the task, each sentence with its citation.',
      input: v.object({ address }),
      run: ({ address: url }, { signal }) => open(url, 'page', signal),
    }),
    checkedSkill({
      name: 'crawl-site',
      description: 'Reads a website or a section of it, such as documentation, and adds it to the sources.',
      guide:
        'Read the site that the step names, search in it, and submit what it says about the task, each sentence with its citation.',
      input: v.object({ address }),
      run: ({ address: url }, { signal }) => open(url, 'site', signal),
    }),
  ];
}
