import { stemmer } from '@orama/stemmers/indonesian';
import { stopwords } from '@orama/stopwords/indonesian';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const INDONESIAN: LanguagePack = {
  name: 'indonesian',
  code: 'id',
  stem: stemmer,
  stopWords: stopwords,
  negations: {
    ahead: 'tidak bukan tanpa belum jangan tak tiada',
    except: 'hanya cuma sekadar saja',
    or: 'atau',
  },
  dates: { beforeYear: 'pada tahun sejak' },
  definitions: {
    sentences: [
      '{term} adalah (?:proses|struktur|suatu|sebuah|seorang|ilmu|alat|sistem|jenis|bagian|kumpulan|cara)\\b{rest}',
    ],
  },
};

export const INDONESIAN_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'bpk, kab, kec, sdr, Jl',
    numbered: 'gbr, hlm, tgl',
  },
  figures: { names: 'gambar' },
};
