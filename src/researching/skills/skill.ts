import type { LanguageModel } from '../../answering/models/language-model.ts';
import type { PassageFinder } from '../../answering/retrieving/passage-finder.ts';
import type { FoundPassage } from '../../notebook/passage.ts';
import type { Product } from '../../notebook/research.ts';
import type { Source } from '../../notebook/source.ts';

/** What a model gave a skill: nothing of it can be relied on. */
export type SkillInput = Readonly<Record<string, unknown>>;

/** What a skill is done with. */
export interface SkillContext {
  /** The sources that are researched. */
  readonly finder: PassageFinder;
  readonly sources: () => Promise<readonly Source[]>;
  /** The products among the step's materials. */
  readonly materials: readonly Product[];
  /** Who works on the step. */
  readonly model: LanguageModel;
  /** The tokens that the result may take; undefined if a person calls the skill. */
  readonly tokens?: number | undefined;
  readonly signal: AbortSignal;
}

/** What a skill gives who called it. */
export interface SkillResult {
  /** For the model: data, which is fenced before it is shown. */
  readonly text: string;
  /** Passages that it found; who called it numbers and fences them, and they can be cited from then on. */
  readonly passages?: readonly FoundPassage[];
  /** What was left out, each one sentence for the user. */
  readonly notes?: readonly string[];
}

/** Something that a step can be done by, or that can be used for it. */
export interface Skill {
  /** A verb, with hyphens where it takes several words: `search`, `list-headings`. */
  readonly name: string;
  /** What it does and when it is of use, in one sentence for planner and actor. */
  readonly description: string;
  /**
   * What whoever does a step by this skill is told to do and to hand in; undefined of a skill that is only used for
   * others' steps.
   */
  readonly guide?: string | undefined;
  /** Only people do its steps. */
  readonly isForUser?: boolean | undefined;
  /** What it takes when it is called as a tool, as a JSON Schema of an object; undefined where it is none. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** @throws NotebookError where it was given what can't be used, or did not find it. */
  readonly run?: ((input: SkillInput, context: SkillContext) => Promise<SkillResult>) | undefined;
}

/** A skill made of others, as a Markdown file with front matter has it. */
export interface ComposedSkill {
  readonly name: string;
  readonly description: string;
  /** What it needs: the ids of products that have to be there, each with what it is. */
  readonly inputs: readonly { readonly name: string; readonly description: string }[];
  readonly steps: readonly ComposedStep[];
}

/** A step of a composed skill; `{NAME}` in its target is the step's own target or an input. */
export interface ComposedStep {
  readonly action: string;
  readonly target: string;
  readonly materials: readonly string[];
  readonly tools: readonly string[];
  readonly produces: string;
  readonly quantity: number;
}

/** All skills that a research may use. */
export interface SkillLibrary {
  readonly skills: readonly Skill[];
  readonly composed: readonly ComposedSkill[];
}
