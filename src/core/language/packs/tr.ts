import { stemmer } from '@orama/stemmers/turkish';
import { stopwords } from '@orama/stopwords/turkish';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const TURKISH: LanguagePack = {
  name: 'turkish',
  code: 'tr',
  stem: stemmer,
  stopWords: stopwords,
  alphabet: 'çğıöşüâî',
  negations: {
    behind: 'değil değildir değildi değiller yok yoktur yoktu',
    behindForm:
      /^(?!\p{L}{0,30}komedi|namaz)\p{L}{2,30}m(?:[iu]yor\p{L}{0,20}|[ae](?:z(?:l[ae]r|di)?|di(?:l[ae]r)?|mis\p{L}{0,20}|y[ae]c[ae][kg]\p{L}{0,20}|m[ae]kt[ae]\p{L}{0,20}|m[ae]li\p{L}{0,20}))$/u,
  },
  followUps: {
    continuation:
      /^(?:peki|ya|ve|ama|mesela|örneğin|başka)(?= )|^(?:neden|niye|niçin|nasıl|ne zaman|nerede|hangisi|devam et)(?!\p{L})/iu,
    pointsBack:
      /(?<!\p{L})(?:on(?:u|un|a|dan|da)|on(?:lar)\p{L}{0,4}|bun(?:u|un|a|dan|lar)\p{L}{0,4}|diğeri|ikisi|örnek ver\p{L}{0,4})(?!\p{L})|^(?:peki )?bu(?! (?:belge|dosya|not|kitap|sayfa|makale|rapor|kaynak|site|metin))(?= )/iu,
    item: /(?<!\p{L})(birinci|ikinci|üçüncü|dördüncü|beşinci|sonuncu)(?:s[iıuü]\p{L}{0,4}| (?:seçenek|adım|madde|yöntem|nokta)\p{L}{0,4})(?!\p{L})/iu,
    ordinals: 'birinci ikinci üçüncü dördüncü beşinci',
    last: 'sonuncu',
    numbered: 'seçenek|madde|adım',
  },
  enumerations: { leads: 'örneğin|yani', joins: 've|veya|ya da' },
  sections: {
    summaries: 'özet, giriş',
    overviews: 'sonuç, sonuçlar, genel bakış',
    keywords: 'anahtar kelimeler, anahtar sözcükler',
  },
  dates: { beforeYear: 'yılında', onlyBeforeYear: 'yılında' },
  definitions: {
    sentences: ['{term}, [^\\n,;:.]{8,160}(?:dır|dir|dur|dür|tır|tir|tur|tür)\\.?$'],
    references: 'bu|o',
  },
  summaryRequests: {
    leads: 'lütfen bana bize kısa bir kısaca',
    requests: [
      /^(?<rest>.*?) ?(?:özetle|özetler misin|özetleyin|özetleyebilir misin|özetini (?:çıkar|ver|yaz))$/iu,
      /^(?:özet|genel bakış)(?<rest>) (?:ver|verir misin|yaz|yazar mısın|çıkar|çıkarır mısın)$/iu,
      /^(?<rest>.*?) ?(?:ana|önemli|temel) (?:noktaları?|fikirleri?|konuları?)(?: neler(?:dir)?| nedir)?$/iu,
      /^(?<rest>.+) ne hakkında$/iu,
    ],
    ofAll:
      'bu bunu bunları şu belge belgeyi belgeler belgeleri belgenin dosya dosyayı dosyaları kaynak kaynakları kaynağı not defteri defterini sayfa sayfayı metin metni makale makaleyi hepsini tümünü en kısaca lütfen bana bize',
    standsFor: /(?<!\p{L})(?:bunu|onu)(?!\p{L})/iu,
  },
  choices: { called: 'cevap|yanıt' },
};

export const TURKISH_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'bk, bkz, blv, doç, krş, yrd, yzb, çev, öğr, örn, Alb, Arş, Cad, Gör, Mah, Sn, Sok',
    numbered: 'c, md, s, sf, yak',
  },
  figures: { names: 'şekil(?:de|deki|den)?', tables: 'tablo' },
  beforeLast: 've',
};
