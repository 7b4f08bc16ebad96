import type { LanguageModel } from '../../../../answers/models/language-model.ts';
import type { PassageFinder } from '../../../../answers/retrieving/passage-finder.ts';
import type { FoundPassage } from '../../../../core/domain/passage.ts';
import type { Product } from '../../model/project.ts';
import type { Source } from '../../../../core/domain/source.ts';

/** Input of a skill from a model, not validated. */
export type SkillInput = Readonly<Record<string, unknown>>;

/** Context of a skill call. */
export interface SkillContext {
  /** Finder for the sources of the project. */
  readonly finder: PassageFinder;
  readonly sources: () => Promise<readonly Source[]>;
  /** Products among the step's materials. */
  readonly materials: readonly Product[];
  /** Model that works on the step. */
  readonly model: LanguageModel;
  /** Maximum tokens of the result; undefined if a person calls the skill. */
  readonly tokens?: number | undefined;
  readonly signal: AbortSignal;
}

/** Result of a skill for its caller. */
export interface SkillResult {
  /** For the model: data, which is fenced before it is shown. */
  readonly text: string;
  /** Passages found. The caller numbers and fences them, so that the result can cite them. */
  readonly passages?: readonly FoundPassage[];
  /** Omissions, one sentence each for the user. */
  readonly notes?: readonly string[];
}

/** Skill for doing a step, or a tool for it. */
export interface Skill {
  /** A verb, with hyphens between words: `search`, `list-headings`. */
  readonly name: string;
  /** Description of its effect and purpose, in one sentence for planner and actor. */
  readonly description: string;
  /**
   * Instructions for doing a step with this skill and for its result; undefined for a skill that only supports other
   * steps.
   */
  readonly guide?: string | undefined;
  /** Set if only users can do steps with this skill, not models. */
  readonly isForUser?: boolean | undefined;
  /** JSON Schema of its input object as a tool; undefined if it isn't a tool. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** @throws NotebookError if the input can't be used, or the result wasn't found. */
  readonly run?: ((input: SkillInput, context: SkillContext) => Promise<SkillResult>) | undefined;
}

/** Skill composed of others, defined by a Markdown file with front matter. */
export interface ComposedSkill {
  readonly name: string;
  readonly description: string;
  /** Required inputs: names of products that must exist, each with a description. */
  readonly inputs: readonly { readonly name: string; readonly description: string }[];
  readonly steps: readonly ComposedStep[];
}

/** Step of a composed skill. `{NAME}` in its target represents the step's own target or an input. */
export interface ComposedStep {
  readonly action: string;
  readonly target: string;
  readonly materials: readonly string[];
  readonly tools: readonly string[];
  readonly produces: string;
  readonly quantity: number;
}

/** All skills that a research project can use. */
export interface SkillLibrary {
  readonly skills: readonly Skill[];
  readonly composed: readonly ComposedSkill[];
}
