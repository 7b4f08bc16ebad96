/** Negation words of a language. Lists have blanks between the words. */
export interface NegationRules {
  /** Words before what they negate. */
  readonly ahead?: string;
  /** Form of such words, if there are too many to list. */
  readonly aheadForm?: RegExp;
  /** Those of `ahead` that can follow the verb and negate it as well. */
  readonly behindVerb?: string;
  /** Words after all that they negate, also verb endings. */
  readonly behind?: string;
  readonly behindForm?: RegExp;
  /** A word that contains a negation; its group is the negated part. */
  readonly within?: RegExp;
  /** Words after a negation that cancel it: "not only". */
  readonly except?: string;
  /** Words before a negation that cancel it: "or not". */
  readonly or?: string;
}

/** Patterns of follow-up questions, matched against questions in one line without marks at their ends. */
export interface FollowUpRules {
  /** Beginnings of short follow-up questions, or their whole text. */
  readonly continuation: RegExp;
  /** Words that refer to something said before, anywhere in the question. */
  readonly pointsBack: RegExp;
  /** Pronouns that show a follow-up unless something is named before them. */
  readonly standsFor?: RegExp;
  /** Pronouns without a referent: "gibt es", "faut-il". */
  readonly expletive?: RegExp;
  /** Reference to a list item by its position, as in "le deuxième", "第二个". */
  readonly item: RegExp;
}

/** Words of enumerations, as parts of patterns. */
export interface EnumerationRules {
  /** Words that introduce items, besides a colon. */
  readonly leads: string;
  /** Conjunctions before the last item. */
  readonly joins: string;
}

/** Words by their role in a sentence. */
export interface RoleWords {
  /** Question words that the stop words lack. */
  readonly questions: string;
  /** Words for an aspect of something else. A question with nothing else is incomplete. */
  readonly aspects: string;
  /** Contrasting words, which begin another statement. */
  readonly contrasts: string;
  /** Words that only connect a sentence with the one before it, and leave its meaning as it is. */
  readonly connectors: string;
  /** Words that give a reason or a condition. */
  readonly reasons: string;
  /** Words that add a clause. */
  readonly additions: string;
  /**
   * Words without a meaning of their own between the row, the column, and the value of a table's cell. Others may change
   * it: "until 2022", "up to 90", "should be".
   */
  readonly fillers: string;
  /** One to ten. Those of English are in `NUMBER_WORDS`. */
  readonly numbers: string;
}

/** Headings of sections, in lower case, with commas between them. */
export interface SectionHeadings {
  /** Headings of the first sections, which summarize or introduce a document. */
  readonly summaries: string;
  /** Headings of other sections that summarize it. */
  readonly overviews: string;
  /** Labels of keywords on the first page of a paper. */
  readonly keywords: string;
}

/** Rules of a language. Lists of words have blanks between the words. Lists and rules that are missing are empty. */
export interface LanguageRules {
  readonly name: string;
  /** Two-letter code of ISO 639-1. */
  readonly code: string;
  /** Letters beyond ASCII of a language in Latin letters, without those of foreign words. */
  readonly alphabet: string;
  readonly negations: NegationRules | undefined;
  /** Those of English are in `follow-ups.ts`, because English questions need more patterns. */
  readonly followUps: FollowUpRules | undefined;
  readonly enumerations: EnumerationRules | undefined;
  /** Articles and other words before nouns. */
  readonly determiners: string;
  /** Conjunctions that join terms or clauses. */
  readonly conjunctions: string;
  /** Words at the beginning of a sentence that refer to the sentence before. */
  readonly backReferences: string;
  readonly words: RoleWords | undefined;
  readonly sections: SectionHeadings | undefined;
}

/** A language in which passages are stemmed. */
export interface LanguagePack extends LanguageRules {
  readonly stem: (word: string) => string;
  readonly stopWords: readonly string[];
  /** `true` if it writes compounds as one word: a "Leuchtturm" is a "Turm". */
  readonly hasCompounds: boolean;
  /** `true` if all nouns are capitalized, so that a capital doesn't show a name. */
  readonly hasCapitalNouns: boolean;
}
