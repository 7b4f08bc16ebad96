import { stemEnglish } from '../words/english-stems.ts';
import { stopwords } from '@orama/stopwords/english';
import type { LanguagePack } from './pack.ts';

/** English words that ask or join, in addition to the library's list. */
const MORE_STOP_WORDS = (
  'a also done else etc get gets got just like many much need please since tell therefore thus upon ' +
  'use used uses using via want way well whether whose within without yet'
).split(' ');

export const english: LanguagePack = {
  name: 'english',
  code: 'en',
  stem: stemEnglish,
  stopWords: [...stopwords, ...MORE_STOP_WORDS],
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: '',
  negations: {
    ahead: 'not no never none nor neither without cannot nothing nobody',
    aheadForm: /^\p{L}+n't$/u,
    except: 'only just necessarily least longer',
    or: 'or',
  },
  followUps: undefined,
  enumerations: {
    leads: 'are|includes?|including|offers?|supports?|such as|namely|either|both|between',
    joins: 'and|or',
  },
  determiners:
    'a an the this these those each every any some no its their our your his her my such another both',
  conjunctions: 'and or nor but so because if when while than then',
  backReferences: 'it its they them their these those this that he she his her both neither',
  words: {
    questions: '',
    aspects:
      'example code default difference detail limit reason option alternative exception syntax setting value step better best faster slower cheaper safer easier',
    contrasts: 'but however though although while whereas',
    connectors: 'and but however',
    reasons: 'because if when unless since that',
    additions: 'and which who whose where',
    fillers: 'a an the of in for at by was is are were be been had has have it its there',
    numbers: '',
  },
  sections: {
    summaries: 'abstract, summary, introduction',
    overviews: 'conclusion, conclusions, overview, key points, key findings, tl dr, tldr',
    keywords: 'keywords, key words',
  },
};
