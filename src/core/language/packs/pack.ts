/** Negation words of a language. Lists have blanks between the words. */
export interface NegationRules {
  /** Words that negate the text after them. */
  readonly ahead?: string;
  /** Form of such words, if there are too many to list. */
  readonly aheadForm?: RegExp;
  /** Words of `ahead` that can also follow the verb that they negate. */
  readonly behindVerb?: string;
  /** Words and verb endings that negate the text before them. */
  readonly behind?: string;
  readonly behindForm?: RegExp;
  /** A word that contains a negation; its group is the negated part. */
  readonly within?: RegExp;
  /** Negations with their scope as the group in scripts without spaces, but not "not only" and the like. */
  readonly unspaced?: RegExp;
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
  /** Beginnings of the ordinals in `item`, from "first" on. Bars separate those with the same meaning. */
  readonly ordinals: string;
  /** Beginning of the word for "last" in `item`. */
  readonly last: string;
  /** Words before the number of a list item, as parts of a pattern. */
  readonly numbered?: string;
  /** Articles and other words before a noun that a pronoun can stand for, as parts of a pattern. */
  readonly articles?: string;
}

/** Words of enumerations, as parts of patterns. */
export interface EnumerationRules {
  /** Words that introduce items, besides a colon. */
  readonly leads: string;
  /** Conjunctions before the last item. */
  readonly joins: string;
  /** Set for scripts without spaces between words. */
  readonly isUnspaced?: true;
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
  /** Words that begin an additional clause, such as "and" and "which". */
  readonly additions: string;
  /**
   * Words without a meaning of their own between the row, the column, and the value of a table's cell. Others may change
   * it: "until 2022", "up to 90", "should be".
   */
  readonly fillers: string;
  /** Numbers from one to ten. The English ones are in `NUMBER_WORDS`. */
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
  /** Titles of tables of contents. */
  readonly contents?: string;
  /** Titles of lists of references. */
  readonly references?: string;
  /** Titles of other sections at the beginning or end that aren't about the subject of a document. */
  readonly others?: string;
  /** Beginnings of the titles of appendixes. */
  readonly appendixes?: string;
}

/** Words of table captions, as parts of patterns. */
export interface TableWords {
  readonly captions: string;
  /** Words in brackets after the caption of a table that continues one: "(continued)". */
  readonly continued?: string;
}

/** Words in and around dates. Lists have blanks between the words. */
export interface DateWords {
  /** Endings of days in digits, as parts of a pattern: "1st", "1er". */
  readonly dayEndings?: string;
  /** Words between a day, a month, and a year: "3 de mayo de 2001". */
  readonly of?: string;
  /** Words between the two dates of a range. */
  readonly to?: string;
  /** Words before a number of four digits that make it a year. */
  readonly beforeYear?: string;
  /** Words of `beforeYear` that never precede a quantity. */
  readonly onlyBeforeYear?: string;
  /** Parts of years and other words before a year, as parts of a pattern. */
  readonly partsOfYear?: string;
  /** Words after a year, as parts of a pattern. */
  readonly afterYear?: string;
  /** Nouns after a quantity. */
  readonly counted?: string;
  /** Words before page numbers, volumes, and the like, as parts of a pattern. */
  readonly beforeNumber?: string;
}

/**
 * Words that numbers are written with, in lower case and without accents, with blanks between them. Bars separate words
 * with the same value.
 */
export interface NumberWords {
  /** From zero on. */
  readonly ones: string;
  /** From twenty on. */
  readonly tens: string;
  readonly dozen: string;
  /** A hundred, a thousand, a million, 10⁹, and 10¹². */
  readonly scales: string;
  /** A half, a third, a quarter, a fifth, and a tenth. */
  readonly fractions: string;
  /** Joins a hundred with the rest. */
  readonly and: string;
  /** Words for a percent sign, as parts of a pattern. */
  readonly percent: string;
}

/** Words of definitions, as parts of patterns. */
export interface DefinitionRules {
  /**
   * Beginnings of defining sentences, with `{term}` for the term and `{rest}` for the rest of the sentence: a verb of
   * definition, or "is" with a kind and a distinction, as in "An index is a data structure that makes searches faster".
   */
  readonly sentences: readonly string[];
  /** Beginnings of defining sentences that otherwise look like references to something named before. */
  readonly introductions?: string;
  /** Beginnings of sentences that refer to something named before, or ask. */
  readonly references?: string;
  /** Words in the form of a term that are none: "**Note**: …". */
  readonly remarks?: string;
  /** Articles and other words before a kind in a list of definitions. */
  readonly indefinite?: string;
  /** Articles before a kind with a distinction. */
  readonly definite?: string;
  /** Articles that are joined to their noun: "l’". */
  readonly elided?: string;
  /** Words that begin the distinction of a kind. */
  readonly distinctions?: string;
  /** Verbs of instructions and facts, which don't define a term. */
  readonly instructions?: string;
  /** Headings of sections whose items are definitions. */
  readonly headings?: string;
  /** Words between two nouns of such a heading. */
  readonly headingJoins?: string;
}

/** Patterns of summary requests in one language. */
export interface SummaryRules {
  /** Words before the actual request. */
  readonly leads: string;
  /** Patterns of requests. The group `rest` is the subject. */
  readonly requests: readonly RegExp[];
  /** Words around the subject, which alone mean everything. */
  readonly ofAll: string;
  /** Words that may refer to something said before. */
  readonly standsFor?: RegExp;
  /** Set for scripts without spaces between words. */
  readonly isUnspaced?: true;
}

/** Phrases that say that the sources lack something. */
export interface NoEvidenceRules {
  readonly statements: readonly RegExp[];
  /** Complete cells or entries with the same meaning, in lower case, with semicolons between them. */
  readonly cells: string;
  /** Words after a comma that begin another statement, besides contrasts, as parts of a pattern. */
  readonly turns?: string;
}

/** Words of a reply that states the letter of a choice, as parts of a pattern: "The answer is B". */
export interface ChoiceWords {
  readonly called: string;
  /** Verbs between such a word and the letter. */
  readonly is?: string;
  /** Such words with their verb in a script without spaces. */
  readonly unspaced?: string;
}

/** Words for the format that a task requests, as parts of patterns. */
export interface FormatWords {
  readonly tables: string;
  readonly lists?: string;
  /** Words before a table that exists already: "the table". */
  readonly beforeKnownTable?: string;
}

/** Words around a name that a text gives to something: "(the “Company” or “we”)". Parts of patterns. */
export interface DefinedNameWords {
  readonly articles: string;
  readonly joins?: string;
}

/** Phrases of license headers, disclaimers, and closing clauses of contracts, which are the same in every document. */
export interface BoilerplateRules {
  /** Each has a part in lower case without blanks, which is found faster. */
  readonly phrases: readonly (readonly [part: string, phrase: RegExp])[];
  /** Words of questions about such text. */
  readonly questions: string;
}

/** Words by which models talk about themselves or to the reader, as parts of patterns. */
export interface ModelTalkRules {
  /** Agreements at the start of a reply, with the mark that follows: `Sure`, `Natürlich,`. */
  readonly agrees: string;
  /** Beginnings of a line that introduces a result and ends with a colon. */
  readonly presents: string;
  /** Beginnings of sentences in which a model talks about itself or its task; rare elsewhere. */
  readonly speaks: RegExp;
  /** Whole sentences that only agree. */
  readonly agreements?: string;
  /** Whole sentences that only point elsewhere. */
  readonly pointers?: string;
}

/** Patterns of injected instructions. */
export interface InjectionPatterns {
  /** Phrases that cancel other instructions or address a model. Alone they can be part of a manual. */
  readonly address: RegExp;
  /** Instructions that count only after such a phrase. */
  readonly addressed: RegExp;
  /** Instructions that count without such a phrase. */
  readonly plain: RegExp;
}

/** Units with words in packs. Their signs are in `unit-words.ts`. */
export type UnitName =
  | 'second'
  | 'meter'
  | 'gram'
  | 'liter'
  | 'byte'
  | 'watt'
  | 'hertz'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'year'
  | 'mile'
  | 'acre'
  | 'hectare'
  | 'foot'
  | 'inch'
  | 'ton'
  | 'pound'
  | 'euro'
  | 'dollar'
  | 'percent'
  | 'degree';

/**
 * Abbreviations whose period ends no sentence, with commas between them. They are tried on texts of all languages,
 * because a short or incomplete text doesn't show its language. So none is a word that ends sentences in another
 * language ("sen" is "then" in Swedish, "ir" is "to go" in Spanish), unless it is tied to a word before it or has a
 * capital that the word lacks ("Hon. Smith", "Det gjorde hon."). Abbreviations that also end sentences are left out:
 * "etc.", "usw.". Those in lower case may begin with a capital ("Vgl.") but not have others ("CAD.").
 */
export interface AbbreviationWords {
  /** Abbreviations before any word. */
  readonly always?: string;
  /** Abbreviations before a number. */
  readonly numbered?: string;
  /** Abbreviations of several parts. The first part alone may be a word or a unit: "44 v. Chr.", "av. J.-C." */
  readonly inParts?: string;
  /** Abbreviations that need a certain word before them, as patterns. */
  readonly tied?: readonly string[];
  /** Words before a number whose period makes it an ordinal: "am 1. Mai", "im 3. Stock". Parts of a pattern. */
  readonly beforeOrdinal?: string;
  /** Abbreviations that are units after a number, as parts of a pattern. */
  readonly notAfterNumber?: string;
}

/** Words for figures and tables, as parts of patterns. */
export interface FigureWords {
  /** Words for figures before their number, with their inflections. */
  readonly names?: string;
  /** Those in scripts without capitals. */
  readonly uncasedNames?: string;
  /** Characters that stand for the word: "图3". */
  readonly signs?: string;
  /** Words for figures after their number: "3. ábra". */
  readonly afterNumber?: string;
  /** Endings of the plurals of figures. */
  readonly pluralEndings?: string;
  /** Words for tables and the like, which also have captions. */
  readonly tables?: string;
  /** Characters that stand for tables. */
  readonly tableSigns?: string;
  /** Words for pictures without a number. */
  readonly pictures?: string;
  /** Pictures in scripts without blanks between words. */
  readonly unspacedPictures?: string;
  /** Words between the numbers of a range: "Figures 3 to 5". */
  readonly ranges?: string;
  /** Beginnings of sentences after the number of a figure, which are no captions. */
  readonly sentences?: string;
}

/** Words that show whether the hyphen at the end of a line belongs to its word. Lists have blanks between the words. */
export interface HyphenWords {
  /** Conjunctions after a hyphen that stands for a part of a later word: "pre- and postwar". */
  readonly conjunctions?: string;
  /** Words between the numbers or parts of a range: "10- to 15-year", "short- to medium-term". */
  readonly ranges?: string;
  /** Small words in the middle of compounds: "state-of-the-art", "up-to-date", "mother-in-law". */
  readonly links?: string;
  /** Such words that don't also begin the part of a compound in the next line. */
  readonly innerLinks?: string;
  /** Words that form hyphenated compounds with most words after them, and are no prefix of other words. */
  readonly firstParts?: string;
  /** Words that form hyphenated compounds with most words before them. */
  readonly secondParts?: string;
}

/** Words of page numbers, as parts of patterns. */
export interface PageNumberWords {
  readonly names?: string;
  readonly abbreviations?: string;
  /** Words before the number of pages: "page 3 of 9". */
  readonly of?: string;
}

/**
 * Words for splitting and reading documents. Activation and the chat page need them without stemmers and stop words,
 * so they aren't in `LanguageRules`.
 */
export interface DocumentWords {
  readonly abbreviations?: AbbreviationWords;
  readonly figures?: FigureWords;
  /**
   * Conjunctions before the last of several names or numbers, as parts of a pattern, without words that join names in
   * another language: Polish "i" is in Catalan names.
   */
  readonly beforeLast?: string;
}

/** Rules of a language. Lists of words have blanks between the words. A language may lack any of them. */
export interface LanguageRules {
  readonly name: string;
  /** Two-letter code of ISO 639-1. */
  readonly code: string;
  /** Letters beyond ASCII of a language in Latin letters, without those of foreign words. */
  readonly alphabet?: string;
  readonly negations?: NegationRules;
  /** Rules that detect follow-up questions. English needs more patterns, which are in `follow-ups.ts`. */
  readonly followUps?: FollowUpRules;
  readonly enumerations?: EnumerationRules;
  /** Articles and other words before nouns. */
  readonly determiners?: string;
  /** Conjunctions that join terms or clauses. */
  readonly conjunctions?: string;
  /** Words at the beginning of a sentence that refer to the sentence before. */
  readonly backReferences?: string;
  readonly words?: RoleWords;
  readonly sections?: SectionHeadings;
  readonly tables?: TableWords;
  /** Beginnings of sentences that depend on the sentence before, as parts of a pattern. */
  readonly continuations?: string;
  /** Beginnings of captions and of remarks on the text, as parts of a pattern. */
  readonly remarks?: string;
  readonly dates?: DateWords;
  readonly numberWords?: NumberWords;
  readonly definitions?: DefinitionRules;
  /** Rules that detect requests for a summary. English needs more patterns, which are in `summary-requests.ts`. */
  readonly summaryRequests?: SummaryRules;
  readonly noEvidence?: NoEvidenceRules;
  readonly choices?: ChoiceWords;
  readonly modelTalk?: ModelTalkRules;
  readonly injections?: InjectionPatterns;
  readonly boilerplate?: BoilerplateRules;
  readonly formats?: FormatWords;
  readonly definedNames?: DefinedNameWords;
  /** Words of footers and references, whose date is of a document, as parts of a pattern. */
  readonly datedReferences?: string;
  /** Complete answers whose words have no terms, as parts of a pattern. */
  readonly yesOrNo?: string;
  readonly hyphens?: HyphenWords;
  readonly pageNumbers?: PageNumberWords;
  /** Beginnings of the page that a dynamic PDF form shows in programs without XFA, as parts of a pattern. */
  readonly pleaseWait?: string;
  /** Titles of pages that ask for a sign-in, as parts of a pattern. */
  readonly signIn?: string;
  /** Words for code and its parts, as parts of a pattern. */
  readonly codeWords?: string;
  /** Words by which a number isn't meant exactly, as parts of a pattern. */
  readonly inexactNumbers?: string;
  /** Words for units, with blanks between them. Units in other languages aren't compared. */
  readonly units?: Readonly<Partial<Record<UnitName, string>>>;
  /** Words between a fraction and its unit, as parts of a pattern: "half an hour". */
  readonly unitLinks?: string;
  /** Words for one before a unit, as parts of a pattern. English "a" is left out, as in "twice a day". */
  readonly oneUnit?: string;
  /** Durations in one word, each with a colon and its minutes. */
  readonly durationWords?: string;
}

/** A language in which passages are stemmed. */
export interface LanguagePack extends LanguageRules {
  readonly stem: (word: string) => string;
  readonly stopWords: readonly string[];
  /** `true` if it writes compounds as one word: a "Leuchtturm" is a "Turm". */
  readonly hasCompounds?: true;
  /** `true` if all nouns are capitalized, so that a capital doesn't show a name. */
  readonly hasCapitalNouns?: true;
}
