import { stemmer } from '@orama/stemmers/serbian';
import { stopwords } from '@orama/stopwords/serbian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const SERBIAN: LanguagePack = {
  name: 'serbian',
  code: 'sr',
  stem: stemmer,
  stopWords: stopwords,
  alphabet: 'čćđšž',
  negations: {
    ahead: 'ne nije nisu nema nemaju nikad nikada bez niti neće',
    except: 'samo',
    or: 'ili',
  },
};

export const SERBIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'npr, odn, sv, нпр, тзв, тј',
    numbered: 'br, sl, бр, сл',
  },
  figures: { names: 'slik(?:a|e|u)|слик(?:а|е|у)' },
};
